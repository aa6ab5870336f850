import { canMove } from '@holdfast/kernel/states';
import type { PayoutOutcome, PayoutUpdate } from './provider-updates.js';
import { withdrawalMoves } from './withdrawal-states.js';
import type { Withdrawal, WithdrawalOutcome } from './withdrawal.js';

/**
 * What an update about its payout changes in a withdrawal. `contradicted`: it cannot follow the current state. `paid-too-late`: the
 * money was sent after the amount had been released to the user.
 */
export type PayoutEffect =
  'none' | 'known' | 'accepted' | 'awaits-user' | 'completed' | 'failed' | 'contradicted' | 'paid-too-late';

export function payoutEffectOf(withdrawal: Withdrawal, update: PayoutUpdate): PayoutEffect {
  const { outcome, status } = withdrawal;
  if (isOfAnother(withdrawal, update)) return 'contradicted';
  if (outcome !== null) return effectAfterEnd(outcome, update.outcome);
  if (status === 'WITHDRAWAL_CREATED') return 'contradicted';
  return effectWhileOpen(withdrawal, update);
}

const effects = {
  created: 'known',
  pending: 'accepted',
  'user-action': 'awaits-user',
  completed: 'completed',
  failed: 'failed',
  canceled: 'failed',
} as const satisfies Readonly<Record<PayoutOutcome, PayoutEffect>>;

function effectWhileOpen(withdrawal: Withdrawal, update: PayoutUpdate): PayoutEffect {
  const { status, providerPayoutId } = withdrawal;
  const isNew = {
    known: providerPayoutId === null && payoutIdOf(withdrawal, update) !== null,
    accepted: canMove(withdrawalMoves, 'accept', status),
    'awaits-user': canMove(withdrawalMoves, 'awaitUser', status),
    completed: true,
    failed: true,
  };
  const effect = effects[update.outcome];
  return isNew[effect] ? effect : 'none';
}

/** The id of the payout, once it is known. An event may name the withdrawal by our id instead, which is never stored as the payout's. */
export function payoutIdOf({ id, providerPayoutId }: Withdrawal, { providerId }: PayoutUpdate): string | null {
  return providerPayoutId ?? (providerId === id ? null : providerId);
}

/** The update names another withdrawal or another payout. */
function isOfAnother({ id, destinationType, providerPayoutId }: Withdrawal, { code, providerId }: PayoutUpdate): boolean {
  if (destinationType === 'ledger') return true;
  if (code !== null && code !== id) return true;
  return providerPayoutId !== null && providerPayoutId !== providerId && providerId !== id;
}

/** Once it was decided how the withdrawal ends, that is never changed: the ledger may have booked it. */
function effectAfterEnd({ move }: WithdrawalOutcome, outcome: PayoutOutcome): PayoutEffect {
  if (outcome === 'completed') return move === 'complete' ? 'none' : 'paid-too-late';
  if (outcome === 'failed' || outcome === 'canceled') return move === 'complete' ? 'contradicted' : 'none';
  return 'none';
}
