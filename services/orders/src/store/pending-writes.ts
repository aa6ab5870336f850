import type { Instant } from '@holdfast/kernel/context';
import type { NewId, SagaRunId } from '@holdfast/kernel/ids';
import type { Outbox } from '@holdfast/messaging/outbox';
import { activeTraceparent } from '@holdfast/observability';
import { TransactionConflict, type BoundStatement, type Tx } from '@holdfast/postgres';
import type { OutgoingMessage, SagaRunOutcome, NewSagaRun } from '@holdfast/sagas';
import type { SagaRuns } from '@holdfast/sagas/runs';
import type { Dispute, Order } from '../domain/order.js';
import type { Comment, UnitOfWork } from '../use-cases/ports.js';
import type { HeldTimer } from '../use-cases/timer-ports.js';
import { toDisputeRow, toOrderRow } from './rows.js';
import type { DisputeRow, OrderRow, ProjectRow } from './schema.js';
import { setOrdersOfProjects } from './sql/projects.js';
import { writeTimers } from './timer-store.js';
import {
  insertComments,
  insertDisputes,
  insertOrders,
  updateDisputes,
  updateMilestones,
  updateOrder,
} from './sql/write-orders.js';

type ChangedOrder = { readonly before: Order; readonly after: Order };
type OrderOfProject = Pick<ProjectRow, 'id' | 'orderId'>;
type StoppedRun = { readonly runId: SagaRunId; readonly reason: string };

/** A message with the span of its decision, because the batch is sent outside of it. */
type TracedMessage = OutgoingMessage & { readonly traceparent: string | undefined };

/** The writes of one decision. They are sent when the whole batch is decided. */
export type PendingWrites = {
  readonly newOrders: Order[];
  readonly changedOrders: ChangedOrder[];
  readonly ordersOfProjects: OrderOfProject[];
  readonly comments: Comment[];
  readonly heldTimers: HeldTimer[];
  readonly startedRuns: NewSagaRun[];
  readonly earlyResponses: SagaRunOutcome[];
  readonly closedRuns: SagaRunOutcome[];
  readonly stoppedRuns: StoppedRun[];
  readonly messages: TracedMessage[];
};

export function pendingWrites(): PendingWrites {
  return {
    newOrders: [],
    changedOrders: [],
    ordersOfProjects: [],
    comments: [],
    heldTimers: [],
    startedRuns: [],
    earlyResponses: [],
    closedRuns: [],
    stoppedRuns: [],
    messages: [],
  };
}

/** The unit of work of a use case; it collects into the pending writes. */
export function unitOfWorkOn(pending: PendingWrites, newId: NewId): UnitOfWork {
  return {
    orders: {
      insert: (order) => void pending.newOrders.push(order),
      save: (before, after) => saveOrder(pending, { before, after }),
    },
    timers: { hold: (timer) => void pending.heldTimers.push(timer) },
    setOrderOfProject: (id, orderId) => void pending.ordersOfProjects.push({ id, orderId }),
    addComment: (comment) => void pending.comments.push(comment),
    runs: {
      start: (run) => void pending.startedRuns.push(run),
      respondEarly: (runId, outcome) => void pending.earlyResponses.push({ runId, outcome }),
      close: (runId, outcome) => void pending.closedRuns.push({ runId, outcome }),
      stopRetries: (runId, reason) => void pending.stoppedRuns.push({ runId, reason }),
    },
    publish: (message) => void pending.messages.push({ ...message, traceparent: activeTraceparent() }),
    newId,
  };
}

/** A decision may change an order more than once; its last state is written, once. */
function saveOrder({ newOrders, changedOrders }: PendingWrites, { before, after }: ChangedOrder): void {
  const inserted = newOrders.findIndex(({ id }) => id === after.id);
  const changed = changedOrders.findIndex((earlier) => earlier.after.id === after.id);
  if (inserted >= 0) newOrders[inserted] = after;
  else if (changed >= 0) changedOrders[changed] = { before: changedOrders[changed]?.before ?? before, after };
  else changedOrders.push({ before, after });
}

export type WriteDeps = {
  readonly outbox: Pick<Outbox, 'add' | 'writeWithMessages'>;
  /** A timer was set that is due at this time. */
  readonly onTimerSet: (dueAt: Instant) => void;
  readonly sagaRuns: Pick<SagaRuns, 'startAll' | 'respondEarlyWithCommit' | 'closeAllWithCommit' | 'stopRetriesWithCommit'>;
};

/** Sends the writes of a batch, pipelined: a statement for each changed order, the first one with the outbox row, and one for each other kind of write. */
export async function sendWrites(deps: WriteDeps, tx: Tx, batch: readonly PendingWrites[]): Promise<void> {
  const { outbox, sagaRuns, onTimerSet: onSet } = deps;
  const { newOrders, changedOrders, ordersOfProjects, comments, heldTimers: held, messages, ...runs } = merge(batch);
  const inserted = insertNewOrders(tx, newOrders);
  const [first, ...others] = changedOrders.map((changed) => updateOrder(changedRowOf(changed)));
  if (first !== undefined) outbox.writeWithMessages(tx, first);
  for (const update of others) tx.defer(update);
  updatePartsOf(tx, changedOrders);
  send(tx, setOrdersOfProjects, ordersOfProjects);
  send(tx, insertComments, comments);
  const saved = [...newOrders.map((after) => ({ before: undefined, after })), ...changedOrders].filter(mayHaveTimers);
  if (saved.length > 0 || held.length > 0) writeTimers(tx, { saved, held, onSet });
  sagaRuns.startAll(tx, runs.startedRuns);
  for (const { runId, outcome } of runs.earlyResponses) sagaRuns.respondEarlyWithCommit(tx, runId, outcome);
  sagaRuns.closeAllWithCommit(tx, runs.closedRuns);
  for (const { runId, reason } of runs.stoppedRuns) sagaRuns.stopRetriesWithCommit(tx, runId, reason);
  for (const message of messages) outbox.add(tx, message.declaration, message);
  await inserted;
}

/** Only milestones and disputes have times. */
function mayHaveTimers({ after }: { readonly after: Order }): boolean {
  return after.milestones.length > 0 || after.dispute !== null;
}

function merge(batch: readonly PendingWrites[]): PendingWrites {
  return {
    newOrders: batch.flatMap(({ newOrders }) => newOrders),
    changedOrders: batch.flatMap(({ changedOrders }) => changedOrders),
    ordersOfProjects: batch.flatMap(({ ordersOfProjects }) => ordersOfProjects),
    comments: batch.flatMap(({ comments }) => comments),
    heldTimers: batch.flatMap(({ heldTimers }) => heldTimers),
    startedRuns: batch.flatMap(({ startedRuns }) => startedRuns),
    earlyResponses: batch.flatMap(({ earlyResponses }) => earlyResponses),
    closedRuns: batch.flatMap(({ closedRuns }) => closedRuns),
    stoppedRuns: batch.flatMap(({ stoppedRuns }) => stoppedRuns),
    messages: batch.flatMap(({ messages }) => messages),
  };
}

/** Retries the transaction if a concurrent request inserted the same order first; the next attempt reads what it committed. */
async function insertNewOrders(tx: Tx, orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return;
  const inserted = await tx.query(insertOrders(orders.map(toOrderRow)));
  if (inserted.length < orders.length) throw new TransactionConflict('an order with the same id or client reference exists');
}

/** The milestones and disputes of changed orders. */
function updatePartsOf(tx: Tx, changed: readonly ChangedOrder[]): void {
  const withNewMilestones = changed.filter(({ before, after }) => after.milestones !== before.milestones);
  send(tx, updateMilestones, withNewMilestones.map(changedRowOf));
  send(tx, insertDisputes, changed.flatMap(newDisputeOf));
  send(tx, updateDisputes, changed.flatMap(changedDisputeOf));
}

function changedRowOf({ after }: ChangedOrder): OrderRow {
  return toOrderRow(after);
}

function newDisputeOf({ before, after }: ChangedOrder): readonly DisputeRow[] {
  const known = new Set(disputesOf(before).map(({ id }) => id));
  return disputesOf(after)
    .filter(({ id }) => !known.has(id))
    .map((dispute) => toDisputeRow(after, dispute));
}

function changedDisputeOf({ before, after }: ChangedOrder): readonly DisputeRow[] {
  const earlier = new Map(disputesOf(before).map((dispute) => [dispute.id, dispute]));
  return disputesOf(after)
    .filter((dispute) => earlier.has(dispute.id) && earlier.get(dispute.id) !== dispute)
    .map((dispute) => toDisputeRow(after, dispute));
}

function disputesOf({ dispute, milestoneDisputes }: Order): readonly Dispute[] {
  return dispute === null ? milestoneDisputes : [dispute, ...milestoneDisputes];
}

function send<Row>(tx: Tx, statementFor: (rows: readonly Row[]) => BoundStatement, rows: readonly Row[]): void {
  if (rows.length > 0) tx.defer(statementFor(rows));
}
