import type { Context } from '@holdfast/kernel/context';
import type { Failure, Order } from '../domain/order.js';
import { applyChange, type Change } from './apply-change.js';
import { continueSequence } from './continue-sequence.js';
import type { Origin } from './origin.js';
import type { SagaOutcome, UnitOfWork } from './ports.js';
import { recordOf } from './records.js';

/** The last change of a saga run. With a failure the waiting request gets this error, else the order. */
export type RunEnd = Change & { readonly failure?: Failure };

/** Ends the active run: another saga may start on the order, and the waiting request gets the outcome. */
export function endRun(tx: UnitOfWork, before: Order, { failure, ...change }: RunEnd, origin: Origin): Order {
  const order = applyChange(tx, before, { ...change, after: { ...change.after, activeRun: null } }, origin);
  const { activeRun: ended } = before;
  if (ended === null) return order;
  tx.runs.close(ended.runId, outcomeOf(order, failure));
  if (ended.partOf === null) return order;
  const sequence = { runId: ended.partOf.runId, failure: ended.partOf.failure ?? failure ?? null };
  const next = continueSequence(tx, { order, ended: ended.saga, sequence }, origin);
  if (next === undefined) tx.runs.close(sequence.runId, outcomeOf(order, sequence.failure ?? undefined));
  return next ?? order;
}

function outcomeOf(order: Order, failure: Failure | undefined): SagaOutcome {
  return failure === undefined ? { status: 'succeeded', record: recordOf(order) } : { ...failure, status: 'failed' };
}

export function logRunEnded(ctx: Context, before: Order, after: Order): void {
  const { id: orderId, activeRun, status } = before;
  ctx.log.info({ orderId, saga: activeRun?.saga, from: status, to: after.status }, 'saga ended');
}
