import type { Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { SagaOutcome } from '../saga-run.js';

export type RunWaitersOptions = {
  readonly pollEveryMs: number;
  readonly log: Log;
  /** Returns the outcomes of the runs that are closed or have an early response. */
  readonly readOutcomes: (runIds: readonly string[]) => Promise<ReadonlyMap<string, SagaOutcome>>;
};

/** The requests of this process that wait for a saga run. One query reads the outcomes for all of them. */
export type RunWaiters = {
  readonly wait: (runId: string, timeoutMs: number, signal?: AbortSignal) => Promise<SagaOutcome>;
  /** Resolves the requests that wait for the run. Returns whether there were any. */
  readonly resolve: (runId: string, outcome: SagaOutcome) => boolean;
  /** Reads the outcome of a run after a notification, if a request waits for it. The poll covers a request that starts to wait later. */
  readonly check: (runId: string) => void;
  /** Throws SERVICE_UNAVAILABLE once `stopAccepting` was called: a request must not start a run that it cannot wait for. */
  readonly requireAccepting: () => void;
  readonly stopAccepting: () => void;
  /** Rejects every waiting request, and every later one, as at the time limit: their sagas continue. */
  readonly close: () => void;
};

type Waiter = { readonly resolve: (outcome: SagaOutcome) => void; readonly reject: (reason: unknown) => void };

type State = {
  readonly options: RunWaitersOptions;
  readonly waiters: Map<string, Set<Waiter>>;
  readonly toRead: Set<string>;
  isReading: boolean;
  poll: NodeJS.Timeout | undefined;
  isAccepting: boolean;
  isClosed: boolean;
};

const runsMax = 10_000;
const readRunsMax = 2_000;
const retryAfterSeconds = 1;

export function createRunWaiters(options: RunWaitersOptions): RunWaiters {
  const state: State = {
    options,
    waiters: new Map(),
    toRead: new Set(),
    isReading: false,
    poll: undefined,
    isAccepting: true,
    isClosed: false,
  };
  return {
    wait: (runId, timeoutMs, signal) => wait(state, runId, timeoutMs, signal),
    resolve: (runId, outcome) => resolveWaiters(state, runId, outcome),
    check: (runId) => checkOutcome(state, runId),
    requireAccepting: () => {
      if (!state.isAccepting) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds });
    },
    stopAccepting: () => {
      state.isAccepting = false;
    },
    close: () => close(state),
  };
}

function wait(state: State, runId: string, timeoutMs: number, signal?: AbortSignal): Promise<SagaOutcome> {
  if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
  // The saga has started and continues, so the caller gets the same error as at the time limit.
  if (state.isClosed || state.waiters.size >= runsMax) return Promise.reject(timedOut(runId));
  return new Promise((resolve, reject) => {
    const onTimeout = (): void => waiter.reject(timedOut(runId));
    const onAbort = (): void => waiter.reject(signal?.reason);
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const finishWith =
      <T>(end: (value: T) => void) =>
      (value: T): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        removeWaiter(state, runId, waiter);
        end(value);
      };
    const waiter: Waiter = { resolve: finishWith(resolve), reject: finishWith(reject) };
    addWaiter(state, runId, waiter);
  });
}

function addWaiter(state: State, runId: string, waiter: Waiter): void {
  const others = state.waiters.get(runId);
  if (others === undefined) state.waiters.set(runId, new Set([waiter]));
  else others.add(waiter);
  state.poll ??= setInterval(() => read(state, state.waiters.keys()), state.options.pollEveryMs);
}

function removeWaiter(state: State, runId: string, waiter: Waiter): void {
  const others = state.waiters.get(runId);
  others?.delete(waiter);
  if (others?.size === 0) state.waiters.delete(runId);
  if (state.waiters.size > 0) return;
  clearInterval(state.poll);
  state.poll = undefined;
}

function resolveWaiters(state: State, runId: string, outcome: SagaOutcome): boolean {
  const waiters = state.waiters.get(runId);
  if (waiters === undefined) return false;
  for (const waiter of waiters) waiter.resolve(outcome);
  return true;
}

function checkOutcome(state: State, runId: string): void {
  if (state.waiters.has(runId)) read(state, [runId]);
}

/** Runs that are requested while a query runs are read by the next one. */
function read(state: State, runIds: Iterable<string>): void {
  for (const runId of runIds) state.toRead.add(runId);
  if (state.isReading) return;
  state.isReading = true;
  // Notifications of the same turn of the event loop share the query.
  setImmediate(() => {
    readAll(state)
      .catch((error: unknown) => state.options.log.warn({ err: error }, 'outcomes of saga runs could not be read'))
      .finally(() => {
        state.isReading = false;
      });
  });
}

async function readAll(state: State): Promise<void> {
  while (state.toRead.size > 0) {
    const runIds = [...state.toRead].slice(0, readRunsMax);
    for (const runId of runIds) state.toRead.delete(runId);
    for (const [runId, outcome] of await state.options.readOutcomes(runIds)) resolveWaiters(state, runId, outcome);
  }
}

function close(state: State): void {
  state.isAccepting = false;
  state.isClosed = true;
  for (const [runId, others] of state.waiters) for (const waiter of others) waiter.reject(timedOut(runId));
}

function timedOut(runId: string): AppError {
  return new AppError('PROVIDER_TIMEOUT', { sagaRunId: runId });
}
