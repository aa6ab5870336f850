import type { Context } from '@holdfast/shared/context';
import type { Envelope, escrowCreationUnconfirmed, Payload } from '@holdfast/shared/contracts/messages';
import { noteCreation } from './creation.js';
import type { Deps } from './ports.js';
import { recordOf } from './records.js';

/**
 * The contract is not known yet. Whoever waits gets the order as it is, ESCROW_CREATING; the operation goes on until the
 * contract is reported, or counts as failed.
 */
export function noteCreationUnconfirmed(
  deps: Deps,
  message: Envelope<Payload<typeof escrowCreationUnconfirmed>>,
  ctx: Context,
): Promise<void> {
  return noteCreation(deps, message, ctx, (tx, order) => {
    if (order.operation === null) return;
    tx.runs.answer(order.operation.runId, { status: 'succeeded', record: recordOf(order) });
  });
}
