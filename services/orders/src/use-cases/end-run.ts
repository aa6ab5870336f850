import type { Context } from '@holdfast/kernel/context';
import type {} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { endRun as endOwnRun, outcomeOf, type Origin, type RunEnd } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';
import { continueSequence } from './continue-sequence.js';
import { orderKind } from './order-kind.js';
import type { UnitOfWork } from './ports.js';

/** The order after the end of its run, with the messages that the end has published. */
type Ended<EventType extends string> = Published<EventType> & { readonly order: Order };

/** Ends the active run, and its sequence or the next saga of it: the waiting request gets the outcome. */
export function endRun<EventType extends string = never>(
  tx: UnitOfWork,
  before: Order,
  change: RunEnd<Order, EventType>,
  origin: Origin,
): Ended<EventType> {
  const order = endOwnRun(tx, orderKind, before, { change, origin });
  const { activeRun: ended } = before;
  const partOf = ended?.partOf ?? null;
  if (ended === null || partOf === null) return { order };
  const sequence = { runId: partOf.runId, failure: partOf.failure ?? change.failure ?? null };
  const next = continueSequence(tx, { order, ended: ended.saga, sequence }, origin);
  if (next === undefined) tx.runs.close(sequence.runId, outcomeOf(orderKind, order, sequence.failure ?? undefined));
  return { order: next ?? order };
}

export function logRunEnded(ctx: Context, before: Order, after: Order): void {
  const { id: orderId, activeRun, status } = before;
  ctx.log.info({ orderId, saga: activeRun?.saga, from: status, to: after.status }, 'saga ended');
}
