import type { Envelope, escrowSettlementRequested, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Deps } from './ports.js';
import { subjectOf } from './require-contract.js';

/** Stores an intent; an intent worker pays the contract out as decided. */
export function handleSettlementRequested(
  deps: Deps,
  message: Envelope<Payload<typeof escrowSettlementRequested>>,
): Promise<Published> {
  return deps.storeIntentOnce(message, 'settle', async (tx) =>
    subjectOf(await deps.contracts.require(tx, message.payload.escrowId)),
  );
}
