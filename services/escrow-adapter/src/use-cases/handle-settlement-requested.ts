import type { Envelope, escrowSettlementRequested, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Deps } from './ports.js';

/** Stores an intent; an intent worker pays the contract out as decided. */
export function handleSettlementRequested(
  deps: Deps,
  message: Envelope<Payload<typeof escrowSettlementRequested>>,
): Promise<Published> {
  return deps.storeIntentOnce(message, 'settle', (tx) => deps.contracts.require(tx, message.payload.escrowId));
}
