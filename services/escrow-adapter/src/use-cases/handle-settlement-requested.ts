import type { Envelope, escrowSettlementRequested, Payload } from '@holdfast/contracts/messages';
import { storeIntentOnce, intentOf } from './store-intent-once.js';
import type { Deps } from './ports.js';

/** Stores an intent; an intent worker pays the contract out as decided. */
export function handleSettlementRequested(
  deps: Deps,
  message: Envelope<Payload<typeof escrowSettlementRequested>>,
): Promise<void> {
  return storeIntentOnce(deps, message, () => deps.intentRequests.settle(intentOf(message, 'settle'), message.payload.escrowId));
}
