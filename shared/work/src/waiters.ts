import type { Log } from '@holdfast/kernel/context';

/** Reads the outcomes of the keys that have one, in one query. */
export type ReadOutcomes<Key, Outcome> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Outcome>>;

export type WaitersOptions<Key, Outcome> = {
  /** What is waited for, for the log. */
  readonly name: string;
  readonly readOutcomes: ReadOutcomes<Key, Outcome>;
  /** The poll covers lost notifications, and what other processes end without one. It runs only while something is waited for. */
  readonly pollEveryMs: number;
  readonly log: Log;
  /** Aborted when the process begins to stop. After the grace period every wait ends, before the connections of the requests do. */
  readonly signal?: AbortSignal | undefined;
  readonly stopGraceMs?: number | undefined;
};

export type Wait = {
  readonly timeoutMs: number;
  /** Aborted when the caller has gone. The wait then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
};

/** The requests of this process that wait until something ends: a saga run, an intent, an activation. */
export type Waiters<Key, Outcome> = {
  /**
   * Undefined at the time limit, once the waiters are closed, and if too many requests wait: the work itself continues. The outcome
   * is not read at once, so a key that may have ended before needs a `check`.
   */
  readonly wait: (key: Key, wait: Wait) => Promise<Outcome | undefined>;
  /** Ends the waits for a key whose outcome this process knows. Returns whether there were any. */
  readonly resolve: (key: Key, outcome: Outcome) => boolean;
  /** Reads the outcome of a key that is waited for. Checks of one turn of the event loop share a query. */
  readonly check: (key: Key) => void;
  /** Ends every wait, and every later one, as at the time limit. */
  readonly close: () => void;
};

type End<Outcome> = (outcome?: Outcome) => void;

type State<Key, Outcome> = WaitersOptions<Key, Outcome> & {
  readonly waiting: Map<Key, Set<End<Outcome>>>;
  readonly toRead: Set<Key>;
  isReading: boolean;
  isClosed: boolean;
  poll: NodeJS.Timeout | undefined;
};

/** If this many keys are waited for, a further request does not wait. */
const keysMax = 10_000;
const keysPerQueryMax = 2_000;
/** Shorter than the time in which an HTTP server drains. */
const defaultStopGraceMs = 3_000;

export function createWaiters<Key, Outcome>(options: WaitersOptions<Key, Outcome>): Waiters<Key, Outcome> {
  const state: State<Key, Outcome> = {
    ...options,
    waiting: new Map(),
    toRead: new Set(),
    isReading: false,
    isClosed: false,
    poll: undefined,
  };
  const close = (): void => {
    state.isClosed = true;
    for (const ends of state.waiting.values()) for (const end of ends) end();
  };
  const { signal, stopGraceMs = defaultStopGraceMs } = options;
  signal?.addEventListener('abort', () => setTimeout(close, stopGraceMs).unref());
  return {
    wait: (key, wait) => waitFor(state, key, wait),
    resolve: (key, outcome) => endWaits(state, key, outcome),
    check: (key) => {
      if (state.waiting.has(key)) read(state, [key]);
    },
    close,
  };
}

async function waitFor<Key, Outcome>(state: State<Key, Outcome>, key: Key, wait: Wait): Promise<Outcome | undefined> {
  const { timeoutMs, signal } = wait;
  signal?.throwIfAborted();
  if (state.isClosed || state.waiting.size >= keysMax) return undefined;
  const outcome = await new Promise<Outcome | undefined>((resolve) => {
    const end: End<Outcome> = (known) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', endWithout);
      remove(state, key, end);
      resolve(known);
    };
    const endWithout = (): void => end();
    const timer = setTimeout(endWithout, timeoutMs);
    signal?.addEventListener('abort', endWithout);
    add(state, key, end);
  });
  if (outcome === undefined) signal?.throwIfAborted();
  return outcome;
}

function add<Key, Outcome>(state: State<Key, Outcome>, key: Key, end: End<Outcome>): void {
  const others = state.waiting.get(key);
  if (others === undefined) state.waiting.set(key, new Set([end]));
  else others.add(end);
  state.poll ??= setInterval(() => read(state, state.waiting.keys()), state.pollEveryMs);
}

function remove<Key, Outcome>(state: State<Key, Outcome>, key: Key, end: End<Outcome>): void {
  const others = state.waiting.get(key);
  others?.delete(end);
  if (others?.size === 0) state.waiting.delete(key);
  if (state.waiting.size > 0) return;
  clearInterval(state.poll);
  state.poll = undefined;
}

function endWaits<Key, Outcome>({ waiting }: State<Key, Outcome>, key: Key, outcome: Outcome): boolean {
  const ends = waiting.get(key);
  if (ends === undefined) return false;
  for (const end of ends) end(outcome);
  return true;
}

/** Keys that are added while a query runs are read by the next one. What could not be read is read by the next poll. */
function read<Key, Outcome>(state: State<Key, Outcome>, keys: Iterable<Key>): void {
  for (const key of keys) state.toRead.add(key);
  if (state.isReading) return;
  state.isReading = true;
  setImmediate(() => {
    readAll(state).catch((error: unknown) => {
      state.log.warn({ error, waitingFor: state.name }, 'outcomes that requests wait for could not be read');
    });
  });
}

async function readAll<Key, Outcome>(state: State<Key, Outcome>): Promise<void> {
  const { toRead, readOutcomes } = state;
  try {
    while (toRead.size > 0) {
      const keys = [...toRead].slice(0, keysPerQueryMax);
      for (const key of keys) toRead.delete(key);
      for (const [key, outcome] of await readOutcomes(keys)) endWaits(state, key, outcome);
    }
  } finally {
    state.isReading = false;
  }
}
