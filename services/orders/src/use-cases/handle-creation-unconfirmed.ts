import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowCreationUnconfirmed, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { handleDeploymentMessage } from './handle-deployment-message.js';
import type { Deps } from './ports.js';
import { recordOf } from './records.js';

/**
 * The adapter does not know yet whether the contract was deployed. The waiting request gets the order in ESCROW_CREATING; the run
 * stays open until escrow.created or escrow.creation_failed arrives.
 */
export function handleCreationUnconfirmed(
  deps: Deps,
  message: Envelope<Payload<typeof escrowCreationUnconfirmed>>,
  ctx: Context,
): Promise<Published> {
  return handleDeploymentMessage(deps, message, ctx, (tx, order) => {
    if (order.activeRun !== null) tx.runs.respondEarly(order.activeRun.runId, { status: 'succeeded', record: recordOf(order) });
    return undefined;
  });
}
