import { AppError } from '@holdfast/kernel/errors';
import { moved } from '@holdfast/kernel/states';
import type { Order } from './order.js';
import { orderMoves, type OrderMove, type OrderStatus } from './order-states.js';

/** The order after a move that must be possible now. */
export function moveOrder(order: Order, move: OrderMove): Order {
  return { ...order, status: statusAfter(order, move) };
}

function statusAfter({ status }: Pick<Order, 'status'>, move: OrderMove): OrderStatus {
  return moved<OrderStatus, OrderMove>(orderMoves, move, status);
}

/** One operation at a time: whoever comes while one is running hears which. Asked before every other rule. */
export function requireNoActiveRun({ activeRun, status }: Order, allowedStatuses: readonly OrderStatus[]): void {
  if (activeRun === null) return;
  throw new AppError('INVALID_STATE', { currentStatus: status, allowedStatuses, operation: activeRun.saga });
}

/** The begin of an operation: nothing else runs, and the order is where the operation may begin. */
export function requireMove(order: Order, move: OrderMove): void {
  requireNoActiveRun(order, orderMoves[move].from);
  statusAfter(order, move);
}

export function closed(order: Order, closeReason: NonNullable<Order['closeReason']>): Order {
  return { ...order, closeReason, ledgerPayout: null, activeRun: null };
}
