import type { SagaRunId } from '@holdfast/kernel/ids';
import type { ActiveRun, Order, SagaName, SequenceRun } from '../domain/order.js';
import { applyChange, type Change } from './apply-change.js';
import type { Origin } from './origin.js';
import type { UnitOfWork } from './ports.js';
import { sagaCommandOf } from './saga-command.js';

/** The first change of a saga, and the input that its later steps need. */
export type SagaStart = Change & Partial<Pick<ActiveRun, 'requestedBy' | 'reason' | 'resolution'>>;

export type NewSagaStart = {
  readonly runId: SagaRunId;
  readonly saga: SagaName;
  readonly order: Order;
  readonly sagaStart: SagaStart;
  readonly partOf?: SequenceRun;
};

/** Writes the changed order with its active run, the saga run and the first command in one unit of work. */
export function startRun(tx: UnitOfWork, { runId, saga, order, sagaStart, partOf }: NewSagaStart, origin: Origin): Order {
  const { id: orderId, marketplaceId } = order;
  const { actor, at: startedAt, correlationId: requestId } = origin;
  const { requestedBy = actor.id, reason = null, resolution = null, ...change } = sagaStart;
  tx.runs.start({ id: runId, saga, orderId, marketplaceId, requestId });
  const activeRun: ActiveRun = { runId, saga, actor, startedAt, requestedBy, reason, resolution, partOf: partOf ?? null };
  const after: Order = { ...change.after, activeRun };
  const command = sagaCommandOf(after);
  return applyChange(
    tx,
    order,
    { ...change, after, events: [...change.events, ...(command === undefined ? [] : [command])] },
    origin,
  );
}
