import type { Context } from '@holdfast/kernel/context';
import type { ErrorCode, ErrorDetails } from '@holdfast/kernel/errors';
import type { Order } from '../domain/order.js';
import { applyChange, type Change } from './apply-change.js';
import type { Origin } from './origin.js';
import type { UnitOfWork } from './ports.js';
import { recordOf } from './records.js';

/** The last change of a saga run. With a failure the waiting request gets this error, else the order. */
export type RunEnd = Change & { readonly failure?: { readonly code: ErrorCode; readonly details: ErrorDetails } };

/** Ends the active run: another saga may start on the order, and the waiting request gets the outcome. */
export function endRun(tx: UnitOfWork, before: Order, { failure, ...change }: RunEnd, origin: Origin): Order {
  const order = applyChange(tx, before, { ...change, after: { ...change.after, activeRun: null } }, origin);
  if (before.activeRun === null) return order;
  const outcome =
    failure === undefined
      ? ({ status: 'succeeded', record: recordOf(order) } as const)
      : ({ ...failure, status: 'failed' } as const);
  tx.runs.close(before.activeRun.runId, outcome);
  return order;
}

export function logRunEnded(ctx: Context, before: Order, after: Order): void {
  const { id: orderId, activeRun, status } = before;
  ctx.log.info({ orderId, saga: activeRun?.saga, from: status, to: after.status }, 'saga ended');
}
