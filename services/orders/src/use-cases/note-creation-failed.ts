import type { Context } from '@holdfast/shared/context';
import type { Envelope, escrowCreationFailed, Payload } from '@holdfast/shared/contracts/messages';
import { escrowNotCreated } from '../domain/escrow.js';
import { failed } from './audit.js';
import { noteCreation } from './creation.js';
import { end } from './operation.js';
import type { Deps } from './ports.js';

/** No contract was made: the order is FUNDS_RESERVED again, and the next try has an escrow of its own. */
export function noteCreationFailed(
  deps: Deps,
  message: Envelope<Payload<typeof escrowCreationFailed>>,
  ctx: Context,
): Promise<void> {
  const { reason } = message.payload;
  return noteCreation(deps, message, ctx, (tx, order, origin) => {
    const after = escrowNotCreated(order);
    const audits = [failed('ESCROW_CREATE_FAILED', order, after, reason)];
    const failure = { code: 'INTERNAL_ERROR', details: { reason, orderStatus: after.status } } as const;
    end(tx, order, { after, events: [], audits, failure }, origin);
  });
}
