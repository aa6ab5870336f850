import type { Log } from '@holdfast/kernel/context';
import type { IntentStore } from './intent-store.js';

export type IntentWaitersOptions = {
  readonly store: Pick<IntentStore, 'findClosed'>;
  /** Finds intents that another process has closed. */
  readonly pollMs: number;
  readonly log: Log;
  /** Aborted when the process begins to stop. Shortly afterwards every wait ends, before the connections of the requests do. */
  readonly signal?: AbortSignal;
  readonly stopGraceMs: number;
};

/** The requests of this process that wait until an intent is closed. One query reads the rows for all of them. */
export type IntentWaiters = {
  /** False at the time limit, and when the process stops. The row is read at once unless this process runs the intent. */
  readonly wait: (intentId: string, wait: IntentWait) => Promise<boolean>;
  readonly resolve: (intentId: string) => void;
  /** Ends every wait, and every later one, as at the time limit. */
  readonly close: () => void;
};

export type IntentWait = { readonly timeoutMs: number; readonly isRunningHere: boolean };

type End = (isClosed: boolean) => void;

type State = IntentWaitersOptions & {
  readonly waiting: Map<string, Set<End>>;
  isReading: boolean;
  isStopped: boolean;
  poll: NodeJS.Timeout | undefined;
};

/** With this many intents waited for, a further request does not wait. */
const waitingMax = 10_000;

export function createIntentWaiters(options: IntentWaitersOptions): IntentWaiters {
  const state: State = { ...options, waiting: new Map(), isReading: false, isStopped: false, poll: undefined };
  const close = (): void => {
    state.isStopped = true;
    for (const intentId of [...state.waiting.keys()]) resolveWaiters(state, intentId, false);
  };
  options.signal?.addEventListener('abort', () => setTimeout(close, options.stopGraceMs).unref());
  return {
    wait: (intentId, given) => wait(state, intentId, given),
    resolve: (intentId) => resolveWaiters(state, intentId, true),
    close,
  };
}

function wait(state: State, intentId: string, { timeoutMs, isRunningHere }: IntentWait): Promise<boolean> {
  if (state.isStopped || state.waiting.size >= waitingMax) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end: End = (isClosed) => {
      clearTimeout(timer);
      removeWaiter(state, intentId, end);
      resolve(isClosed);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    addWaiter(state, intentId, end);
    if (!isRunningHere) readLater(state, [intentId]);
  });
}

function addWaiter(state: State, intentId: string, end: End): void {
  const others = state.waiting.get(intentId);
  if (others === undefined) state.waiting.set(intentId, new Set([end]));
  else others.add(end);
  state.poll ??= setInterval(() => poll(state), state.pollMs);
}

function removeWaiter(state: State, intentId: string, end: End): void {
  const others = state.waiting.get(intentId);
  others?.delete(end);
  if (others?.size === 0) state.waiting.delete(intentId);
  if (state.waiting.size > 0) return;
  clearInterval(state.poll);
  state.poll = undefined;
}

function resolveWaiters({ waiting }: State, intentId: string, isClosed: boolean): void {
  for (const end of [...(waiting.get(intentId) ?? [])]) end(isClosed);
}

function poll(state: State): void {
  if (!state.isReading) readLater(state, [...state.waiting.keys()]);
}

/** A read that fails is repeated by the next poll. */
function readLater(state: State, intentIds: readonly string[]): void {
  state.isReading = true;
  read(state, intentIds)
    .catch((error: unknown) => state.log.warn({ error }, 'intents that requests wait for could not be read'))
    .finally(() => {
      state.isReading = false;
    });
}

async function read(state: State, intentIds: readonly string[]): Promise<void> {
  for (const intentId of await state.store.findClosed(intentIds)) resolveWaiters(state, intentId, true);
}
