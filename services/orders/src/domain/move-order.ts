import { AppError } from '@holdfast/kernel/errors';
import { moved } from '@holdfast/kernel/states';
import type { ActiveRun, Order } from './order.js';
import { orderMoves, type OrderMove, type OrderStatus } from './order-states.js';

/** Throws INVALID_STATE if the move is not allowed in the current status. */
export function moveOrder(order: Order, move: OrderMove): Order {
  return { ...order, status: statusAfter(order, move) };
}

function statusAfter({ status }: Pick<Order, 'status'>, move: OrderMove): OrderStatus {
  return moved<OrderStatus, OrderMove>(orderMoves, move, status);
}

/**
 * A run on the whole order excludes every other one; runs on different milestones do not exclude each other. This is checked before
 * every other rule, and the error names the active saga.
 */
export function requireNoActiveRun(order: Order, allowedStatuses: readonly OrderStatus[]): void {
  const active = activeRunsAgainst(order)[0];
  if (active === undefined) return;
  throw new AppError('INVALID_STATE', { currentStatus: order.status, allowedStatuses, operation: active.saga });
}

function activeRunsAgainst({ activeRun, focus, milestones }: Order): readonly ActiveRun[] {
  const others = focus === null ? milestones.map((milestone) => milestone.activeRun) : [focus.orderRun];
  return [activeRun, ...others].filter((run) => run !== null);
}

/** Throws INVALID_STATE if a run is active or the move is not allowed in the current status. */
export function requireMove(order: Order, move: OrderMove): void {
  requireNoActiveRun(order, orderMoves[move].from);
  statusAfter(order, move);
}

export function closed(order: Order, closeReason: NonNullable<Order['closeReason']>): Order {
  return { ...order, closeReason, ledgerPayout: null, activeRun: null };
}
