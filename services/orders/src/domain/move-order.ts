import { AppError } from '@holdfast/kernel/errors';
import { moved } from '@holdfast/kernel/states';
import type { Order } from './order.js';
import { orderMoves, type OrderMove, type OrderStatus } from './order-states.js';

/** Throws INVALID_STATE if the move is not allowed in the current status. */
export function moveOrder(order: Order, move: OrderMove): Order {
  return { ...order, status: statusAfter(order, move) };
}

function statusAfter({ status }: Pick<Order, 'status'>, move: OrderMove): OrderStatus {
  return moved<OrderStatus, OrderMove>(orderMoves, move, status);
}

/** An order has one saga run at a time. This is checked before every other rule, and the error names the active saga. */
export function requireNoActiveRun({ activeRun, status }: Order, allowedStatuses: readonly OrderStatus[]): void {
  if (activeRun === null) return;
  throw new AppError('INVALID_STATE', { currentStatus: status, allowedStatuses, operation: activeRun.saga });
}

/** Throws INVALID_STATE if a run is active or the move is not allowed in the current status. */
export function requireMove(order: Order, move: OrderMove): void {
  requireNoActiveRun(order, orderMoves[move].from);
  statusAfter(order, move);
}

export function closed(order: Order, closeReason: NonNullable<Order['closeReason']>): Order {
  return { ...order, closeReason, ledgerPayout: null, activeRun: null };
}
