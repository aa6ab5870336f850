import type { Context } from '@holdfast/kernel/context';
import type { balanceReservationRefused, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { handleReply } from './handle-reply.js';
import { failureEntry } from './audit.js';
import type { Deps } from './ports.js';

/** The order stays ORDER_CREATED, and the response carries the error code of the ledger. */
export function handleReservationRefused(
  deps: Deps,
  message: Envelope<Payload<typeof balanceReservationRefused>>,
  ctx: Context,
): Promise<Published> {
  const { orderId, code, details } = message.payload;
  return handleReply(deps, { message, orderId }, ctx, (order) => ({
    after: order,
    events: [],
    auditEntries: [failureEntry('FUNDS_RESERVE_FAILED', order, order, code)],
    failure: { code, details },
  }));
}
