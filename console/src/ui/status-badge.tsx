import { wordsOf, withoutAggregate } from './status-words.js';

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
  const status = withoutAggregate(constant);
  if (tones.bad.includes(status)) return 'bad';
  if (tones.warning.includes(status)) return 'warning';
  if (tones.busy.includes(status)) return 'busy';
  return tones.good.includes(status) ? 'good' : 'quiet';
}
