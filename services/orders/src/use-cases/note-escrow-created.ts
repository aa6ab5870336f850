import type { Context } from '@holdfast/shared/context';
import { orderEscrowFunding, type Envelope, type escrowCreated, type Payload } from '@holdfast/shared/contracts/messages';
import { escrowCreated as created } from '../domain/escrow.js';
import { noteCreation } from './creation.js';
import { entered } from './audit.js';
import { event } from './change.js';
import { end } from './operation.js';
import { escrowFacts } from './order-events.js';
import type { Deps } from './ports.js';

export function noteEscrowCreated(deps: Deps, message: Envelope<Payload<typeof escrowCreated>>, ctx: Context): Promise<void> {
  return noteCreation(deps, message, ctx, (tx, order, origin) => {
    const after = created(order, message.payload.providerContractId);
    const events = [event(orderEscrowFunding, escrowFacts(after))];
    end(tx, order, { after, events, audits: entered(order, [after.status]) }, origin);
  });
}
