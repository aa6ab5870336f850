/** The states of some aggregates begin with its name. */
const aggregate = /^(TOPUP|WITHDRAWAL|ORDER)_/;

export function withoutAggregate(constant: string): string {
  return constant.replace(aggregate, '');
}

/** `IN_PROGRESS` as `In progress`, `TOPUP_SUCCEEDED` as `Succeeded`. */
export function wordsOf(constant: string): string {
  return spokenOf(withoutAggregate(constant));
}

/** `TOPUP_CREATED` as `Top-up created`: the constant with the name of its aggregate. */
export function spokenOf(constant: string): string {
  const words = constant
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
    .replace(/^topup/, 'top-up')
    .replace(/^api /, 'API ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

const constantText = /^[A-Z]+(_[A-Z]+)*$/;

/** A reason is a constant of the platform, or what a person wrote, which stays as it is. */
export function reasonText(reason: string): string {
  return constantText.test(reason) ? spokenOf(reason).toLowerCase() : reason;
}
