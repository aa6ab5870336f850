import type { Envelope, Payload, withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Deps } from './ports.js';

/** Stores an intent; an intent worker pays the withdrawal to its address. */
export function handleLedgerPayoutRequested(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalLedgerPayoutRequested>>,
): Promise<Published> {
  return deps.storeIntentOnce(message, 'payout', [deps.intentSubjects.payout(message.payload.withdrawalId)]);
}
