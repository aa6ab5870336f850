import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowCreationUnconfirmed, Payload } from '@holdfast/contracts/messages';
import { handleDeploymentMessage } from './handle-deployment-message.js';
import type { Deps } from './ports.js';
import { recordOf } from './records.js';

/**
 * The contract is not known yet. Whoever waits gets the order as it is, ESCROW_CREATING; the operation goes on until the
 * contract is reported, or counts as failed.
 */
export function handleCreationUnconfirmed(
  deps: Deps,
  message: Envelope<Payload<typeof escrowCreationUnconfirmed>>,
  ctx: Context,
): Promise<void> {
  return handleDeploymentMessage(deps, message, ctx, (tx, order) => {
    if (order.activeRun === null) return;
    tx.runs.respondEarly(order.activeRun.runId, { status: 'succeeded', record: recordOf(order) });
  });
}
