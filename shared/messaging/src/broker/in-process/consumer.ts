import { settlesWithin } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';
import type { BrokerEvent, Delivery, ParkedStore } from '../broker.js';
import { readEnvelope } from '../envelope.js';
import { failureActionOf, type FailureAction, type RetryPolicy } from '../failure-action.js';
import { trackHandlers, type RunningHandlers } from '../running-handlers.js';
import { finishDelivery, setLeaseEnds, scheduleRetry, takeDue } from './statements.js';

export type ConsumerOptions = RetryPolicy & {
  readonly pool: Database['pool'];
  readonly queue: string;
  readonly prefetch: number;
  readonly parked: ParkedStore;
  readonly handler: (delivery: Delivery) => Promise<void>;
  /** The duration of a lease. The process extends it while the handler runs. */
  readonly leaseMs: number;
  /** How long `stop` waits for running handlers. */
  readonly drainTimeoutMs: number;
  readonly log: Log;
  readonly onEvent: (event: BrokerEvent) => void;
  /** Called when rows of the queue are due in so many milliseconds. */
  readonly onDueLater: (inMs: number) => void;
};

/** Leases the due rows of one queue and runs the handler on them. Consumers of one queue compete for its rows. */
export type Consumer = {
  /** Call when the queue may have due rows. */
  readonly wakeUp: () => void;
  /** Leases no more rows, waits for running handlers, and releases the leases of unfinished ones. */
  readonly stop: () => Promise<void>;
};

type Row = {
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
  readonly attempts: number;
  readonly position: bigint;
  /** Whether the message may have been delivered before, and parked. */
  readonly isRepeated: boolean;
};

type State = {
  readonly options: ConsumerOptions;
  /** Handlers, including the statement that records their result. */
  readonly handlers: RunningHandlers;
  /** Message id to attempts of each row that this process has leased. */
  readonly leased: Map<string, number>;
  readonly extending: NodeJS.Timeout;
  /** Handlers that have not ended. */
  running: number;
  hasDueRows: boolean;
  taking: Promise<void> | undefined;
  isStopping: boolean;
};

const extensionsPerLease = 3;
const takeTimeoutMs = 2_000;
const takeRetryMs = 250;
const releaseTimeoutMs = 2_000;

export function startConsumer(options: ConsumerOptions): Consumer {
  const state: State = {
    options,
    handlers: trackHandlers(),
    leased: new Map(),
    extending: setInterval(() => extendLeases(state), options.leaseMs / extensionsPerLease),
    running: 0,
    hasDueRows: true,
    taking: undefined,
    isStopping: false,
  };
  takeIfDue(state);
  let stopping: Promise<void> | undefined;
  return { wakeUp: () => wakeUp(state), stop: () => (stopping ??= stop(state)) };
}

function wakeUp(state: State): void {
  state.hasDueRows = true;
  takeIfDue(state);
}

/** Runs one statement at a time, which leases as many rows as handlers may start. */
function takeIfDue(state: State): void {
  const { prefetch, queue, log, onDueLater } = state.options;
  const free = prefetch - state.running;
  if (!state.hasDueRows || state.taking !== undefined || state.isStopping || free <= 0) return;
  state.hasDueRows = false;
  state.taking = take(state, free)
    .catch((error: unknown) => {
      log.warn({ err: error, queue }, 'messages could not be leased');
      onDueLater(takeRetryMs);
    })
    .finally(() => {
      state.taking = undefined;
      takeIfDue(state);
    });
}

async function take(state: State, countMax: number): Promise<void> {
  const { pool, queue, leaseMs } = state.options;
  const { rows } = await pool.query<Row>({ ...takeDue, values: [queue, countMax, leaseMs / 1_000] });
  if (rows.length === countMax) state.hasDueRows = true; // there may be more
  for (const row of rows) {
    state.leased.set(row.messageId, row.attempts);
    if (!state.isStopping) state.handlers.add(handle(state, row));
  }
}

/** Never rejects. The slot is free when the handler has ended; the lease lasts until its result is written. */
async function handle(state: State, row: Row): Promise<void> {
  state.running += 1;
  const failure = await runHandler(state.options, row);
  state.running -= 1;
  takeIfDue(state);
  try {
    if (failure === undefined) await finish(state, row);
    else if (failsByStop(state, failure))
      return; // the stop ends its lease
    else await retryOrPark(state, row, failure);
  } catch (error) {
    const { log, queue, leaseMs, onDueLater } = state.options;
    log.warn({ err: error, queue, messageId: row.messageId }, 'the result could not be stored; the message is delivered again');
    onDueLater(leaseMs);
  }
  state.leased.delete(row.messageId);
}

type Failure = { readonly action: FailureAction; readonly error: unknown };

/** A handler can fail because its process stops. Then the message is delivered again, and the attempt does not count. */
function failsByStop({ isStopping }: State, { action }: Failure): boolean {
  return isStopping && action.kind === 'retry';
}

/** The body is parsed for each delivery, so that handlers never share an object. */
async function runHandler(options: ConsumerOptions, row: Row): Promise<Failure | undefined> {
  const { queue, parked, handler, onEvent } = options;
  const { messageId, type, body, attempts, isRepeated } = row;
  try {
    await handler({ envelope: readEnvelope(body), attempts });
    if (isRepeated) await parked.removeHandled(messageId);
  } catch (error) {
    return { action: failureActionOf(error, attempts, options), error };
  }
  onEvent({ kind: 'handled', queue, type });
  return undefined;
}

/** A retry is found by a look when it is due. A message is parked before its row is deleted; a crash in between leaves both. */
async function retryOrPark(state: State, row: Row, { action, error }: Failure): Promise<void> {
  const { pool, queue, parked, log, onEvent, onDueLater } = state.options;
  const { messageId, type } = row;
  const fields = { queue, messageId, type, attempts: action.attempts, err: error };
  if (action.kind === 'retry') {
    await pool.query({ ...scheduleRetry, values: [queue, messageId, action.attempts, action.delayMs / 1_000] });
    onDueLater(action.delayMs);
    log.warn({ ...fields, delayMs: action.delayMs }, 'message failed and will be retried');
    onEvent({ kind: action.isNewer === true ? 'newer_version' : 'retried', queue, type });
    return;
  }
  const { attempts, reason } = action;
  await parked.park({ messageId, type, body: Buffer.from(row.body), attempts, reason });
  await finish(state, row);
  log.error({ ...fields, reason }, 'message parked');
  onEvent({ kind: 'parked', queue, type });
}

/** A row that was published again is due at once. */
async function finish(state: State, { messageId, position }: Row): Promise<void> {
  const { pool, queue } = state.options;
  const { rowCount } = await pool.query({ ...finishDelivery, values: [queue, messageId, position] });
  if (rowCount !== 0) wakeUp(state);
}

function extendLeases(state: State): void {
  const { queue, leaseMs, log } = state.options;
  setLeaseEnd(state, leaseMs).catch((error: unknown) => log.warn({ err: error, queue }, 'leases could not be extended'));
}

async function setLeaseEnd({ options, leased }: State, leaseMs: number): Promise<void> {
  if (leased.size === 0) return;
  const { pool, queue } = options;
  await pool.query({ ...setLeaseEnds, values: [queue, [...leased.keys()], [...leased.values()], leaseMs / 1_000] });
}

async function stop(state: State): Promise<void> {
  const { queue, drainTimeoutMs, log } = state.options;
  state.isStopping = true;
  if (state.taking !== undefined) await settlesWithin(state.taking, takeTimeoutMs);
  if (!(await state.handlers.endWithin(drainTimeoutMs)))
    log.warn({ queue, handlers: state.running, drainTimeoutMs }, 'handlers still run; their messages are delivered again');
  clearInterval(state.extending);
  await settlesWithin(setLeaseEnd(state, 0), releaseTimeoutMs);
}
