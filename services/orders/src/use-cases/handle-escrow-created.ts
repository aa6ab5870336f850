import type { Context } from '@holdfast/kernel/context';
import { orderEscrowFunding, type Envelope, type escrowCreated, type Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { event } from '@holdfast/sagas';
import { escrowCreated as created } from '../domain/escrow.js';
import { handleDeploymentMessage } from './handle-deployment-message.js';
import { statusEntries } from './audit.js';
import { endRun } from './end-run.js';
import { escrowFields } from './order-events.js';
import type { Deps } from './ports.js';

export function handleEscrowCreated(
  deps: Deps,
  message: Envelope<Payload<typeof escrowCreated>>,
  ctx: Context,
): Promise<Published<'order.escrow_funding'>> {
  return handleDeploymentMessage(deps, message, ctx, (tx, order, origin) => {
    const after = created(order, message.payload.providerContractId);
    const events = [event(orderEscrowFunding, escrowFields(after))];
    return endRun(tx, order, { after, events, auditEntries: statusEntries(order, [after.status]) }, origin);
  });
}
