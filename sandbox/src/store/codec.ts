/** Whole numbers of any size have no form in JSON; an object with this one field stands for them. */
const numberField = '$n';

export function encodeLine(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? { [numberField]: inner.toString() } : inner,
  );
}

export function decodeLine(line: string): unknown {
  return JSON.parse(line, (_key, inner: unknown) => (isEncodedNumber(inner) ? BigInt(inner[numberField]) : inner));
}

function isEncodedNumber(value: unknown): value is { readonly [numberField]: string } {
  return typeof value === 'object' && value !== null && numberField in value && typeof value[numberField] === 'string';
}
