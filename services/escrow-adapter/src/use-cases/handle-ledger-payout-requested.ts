import type { Envelope, Payload, withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** Stores an intent; an intent worker pays the withdrawal to its address. */
export function handleLedgerPayoutRequested(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalLedgerPayoutRequested>>,
): Promise<void> {
  const { withdrawalId: subject } = message.payload;
  return deps.storeIntentOnce(message, 'payout', (intent) => deps.addPayout({ ...intent, subject }));
}
