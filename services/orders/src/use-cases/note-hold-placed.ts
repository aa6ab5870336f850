import type { Context } from '@holdfast/shared/context';
import { orderFundsReserved, type balanceHoldPlaced, type Envelope, type Payload } from '@holdfast/shared/contracts/messages';
import { formatMoney } from '@holdfast/shared/money';
import { moveOrder } from '../domain/moving.js';
import { noteAnswer } from './answer.js';
import { entered } from './audit.js';
import { event } from './change.js';
import type { Deps } from './ports.js';

export function noteHoldPlaced(deps: Deps, message: Envelope<Payload<typeof balanceHoldPlaced>>, ctx: Context): Promise<void> {
  const { orderId, reservedBalance, availableBalance } = message.payload;
  return noteAnswer(deps, { message, orderId }, ctx, (order) => {
    const after = moveOrder(order, 'reserve');
    const { id, buyerId, amount } = order;
    const funds = { orderId: id, buyerId, amount: formatMoney(amount), currency: amount.currency };
    const told = event(orderFundsReserved, { ...funds, reservedBalance, availableBalance });
    return { after, events: [told], audits: entered(order, [after.status]) };
  });
}
