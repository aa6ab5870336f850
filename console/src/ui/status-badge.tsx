type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'quiet';

const tones: Readonly<Record<Exclude<Tone, 'quiet'>, readonly string[]>> = {
  good: [
    'CLOSED',
    'RELEASED',
    'FUNDED',
    'ACTIVE',
    'COMPLETED',
    'SUCCEEDED',
    'DELIVERED',
    'RESOLVED',
    'ENABLED',
    'SUCCESS',
    'IN_PROGRESS',
    'done',
  ],
  busy: [
    'FUNDS_RESERVED',
    'ESCROW_CREATING',
    'ESCROW_FUNDING',
    'RELEASE_REQUESTED',
    'REFUND_REQUESTED',
    'PROCESSING',
    'PENDING',
    'SUBMITTED',
    'CREATING',
    'FUNDING',
    'COMMITTED',
    'UNDER_REVIEW',
    'running',
    'waiting',
  ],
  warning: [
    'DISPUTED',
    'RETRYING',
    'CONFIRMATION_REQUIRED',
    'PENDING_USER_ACTION',
    'EXPIRED',
    'SUSPENDED',
    'retrying',
    'compensated',
    'compensating',
  ],
  bad: ['FAILED', 'EXHAUSTED', 'REVOKED', 'DISABLED', 'FAILURE', 'STOPPED', 'failed', 'contradicted', 'stalled'],
};

/** The words say it; the colour only helps to find it. */
export function StatusBadge({ status, tone = toneOf(status) }: { readonly status: string; readonly tone?: Tone }) {
  return <span className={`hf-badge hf-badge-${tone}`}>{wordsOf(status)}</span>;
}

function toneOf(constant: string): Tone {
  const status = constant.replace(aggregate, '');
  if (tones.bad.includes(status)) return 'bad';
  if (tones.warning.includes(status)) return 'warning';
  if (tones.busy.includes(status)) return 'busy';
  return tones.good.includes(status) ? 'good' : 'quiet';
}

/** The states of some aggregates begin with its name. */
const aggregate = /^(TOPUP|WITHDRAWAL|ORDER)_/;

/** `IN_PROGRESS` as `In progress`, `TOPUP_SUCCEEDED` as `Succeeded`. */
export function wordsOf(constant: string): string {
  return spokenOf(constant.replace(aggregate, ''));
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
