import type { Context } from '@holdfast/kernel/context';
import { orderFundsReserved, type balanceReservationMade, type Envelope, type Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { formatMoney } from '@holdfast/kernel/money';
import { event } from '@holdfast/sagas';
import { moveOrder } from '../domain/move-order.js';
import { handleReply } from './handle-reply.js';
import { statusEntries } from './audit.js';
import type { Deps } from './ports.js';

export function handleReservationMade(
  deps: Deps,
  message: Envelope<Payload<typeof balanceReservationMade>>,
  ctx: Context,
): Promise<Published<'order.funds_reserved'>> {
  const { orderId, reservedBalance, availableBalance } = message.payload;
  return handleReply(deps, { message, orderId }, ctx, (order) => {
    const after = moveOrder(order, 'reserve');
    const { id, buyerId, amount } = order;
    const funds = { orderId: id, buyerId, amount: formatMoney(amount), currency: amount.currency };
    const fundsReserved = event(orderFundsReserved, { ...funds, reservedBalance, availableBalance });
    return { after, events: [fundsReserved], auditEntries: statusEntries(order, [after.status]) };
  });
}
