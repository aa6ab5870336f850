import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowCreationFailed, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { escrowNotCreated } from '../domain/escrow.js';
import { failureEntry } from './audit.js';
import { handleDeploymentMessage } from './handle-deployment-message.js';
import { endRun } from './end-run.js';
import type { Deps } from './ports.js';

/** No contract was deployed: the order returns to FUNDS_RESERVED, and the next attempt gets a new escrow id. */
export function handleCreationFailed(
  deps: Deps,
  message: Envelope<Payload<typeof escrowCreationFailed>>,
  ctx: Context,
): Promise<Published> {
  const { reason } = message.payload;
  return handleDeploymentMessage(deps, message, ctx, (tx, order, origin) => {
    const after = escrowNotCreated(order);
    const auditEntries = [failureEntry('ESCROW_CREATE_FAILED', order, after, reason)];
    const failure = { code: 'INTERNAL_ERROR', details: { reason, orderStatus: after.status } } as const;
    return endRun(tx, order, { after, events: [], auditEntries, failure }, origin);
  });
}
