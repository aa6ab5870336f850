import type { Log } from '../context/index.js';
import { AppError } from '../errors/index.js';
import type { Outcome } from './saga-run.js';

export type WaitingRoomOptions = {
  readonly pollEveryMs: number;
  readonly log: Log;
  /** The outcomes of those runs that are closed. */
  readonly readOutcomes: (runIds: readonly string[]) => Promise<ReadonlyMap<string, Outcome>>;
};

/** The requests of this process that wait for a saga. They share one query, whether a notification or the poll asks for it. */
export type WaitingRoom = {
  readonly wait: (runId: string, timeoutMs: number, signal?: AbortSignal) => Promise<Outcome>;
  /** Resolves the requests that wait for the run, and says whether there were any. */
  readonly settle: (runId: string, outcome: Outcome) => boolean;
  /** Reads the outcome of a run that is said to be closed, where a request waits for it; a request that comes later is polled for. */
  readonly look: (runId: string) => void;
  /** Ends every wait and takes no more. */
  readonly close: () => void;
};

type Waiter = { readonly resolve: (outcome: Outcome) => void; readonly reject: (reason: unknown) => void };

type Room = {
  readonly options: WaitingRoomOptions;
  readonly waiters: Map<string, Set<Waiter>>;
  readonly toRead: Set<string>;
  isReading: boolean;
  poll: NodeJS.Timeout | undefined;
  isClosed: boolean;
};

const runsMax = 10_000;
const readRunsMax = 2_000;
const retryAfterSeconds = 1;

export function createWaitingRoom(options: WaitingRoomOptions): WaitingRoom {
  const room: Room = {
    options,
    waiters: new Map(),
    toRead: new Set(),
    isReading: false,
    poll: undefined,
    isClosed: false,
  };
  return {
    wait: (runId, timeoutMs, signal) => wait(room, runId, timeoutMs, signal),
    settle: (runId, outcome) => settle(room, runId, outcome),
    look: (runId) => look(room, runId),
    close: () => close(room),
  };
}

function wait(room: Room, runId: string, timeoutMs: number, signal?: AbortSignal): Promise<Outcome> {
  if (room.isClosed) return Promise.reject(stopping());
  if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
  // The saga has begun and goes on, so what the caller learns is the same as at the time limit.
  if (room.waiters.size >= runsMax) return Promise.reject(new AppError('PROVIDER_TIMEOUT', { sagaRunId: runId }));
  return new Promise((resolve, reject) => {
    const onTimeout = (): void => waiter.reject(new AppError('PROVIDER_TIMEOUT', { sagaRunId: runId }));
    const onAbort = (): void => waiter.reject(signal?.reason);
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const goThen =
      <T>(end: (value: T) => void) =>
      (value: T): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        leave(room, runId, waiter);
        end(value);
      };
    const waiter: Waiter = { resolve: goThen(resolve), reject: goThen(reject) };
    enter(room, runId, waiter);
  });
}

function enter(room: Room, runId: string, waiter: Waiter): void {
  const others = room.waiters.get(runId);
  if (others === undefined) room.waiters.set(runId, new Set([waiter]));
  else others.add(waiter);
  room.poll ??= setInterval(() => read(room, room.waiters.keys()), room.options.pollEveryMs);
}

function leave(room: Room, runId: string, waiter: Waiter): void {
  const others = room.waiters.get(runId);
  others?.delete(waiter);
  if (others?.size === 0) room.waiters.delete(runId);
  if (room.waiters.size > 0) return;
  clearInterval(room.poll);
  room.poll = undefined;
}

function settle(room: Room, runId: string, outcome: Outcome): boolean {
  const waiters = room.waiters.get(runId);
  if (waiters === undefined) return false;
  for (const waiter of waiters) waiter.resolve(outcome);
  return true;
}

function look(room: Room, runId: string): void {
  if (room.waiters.has(runId)) read(room, [runId]);
}

/** Whatever is asked for while a query runs goes into the next one. */
function read(room: Room, runIds: Iterable<string>): void {
  for (const runId of runIds) room.toRead.add(runId);
  if (room.isReading) return;
  room.isReading = true;
  // Notifications that arrive in the same turn share the query.
  setImmediate(() => {
    readAll(room)
      .catch((error: unknown) => room.options.log.warn({ err: error }, 'outcomes of sagas could not be read'))
      .finally(() => {
        room.isReading = false;
      });
  });
}

async function readAll(room: Room): Promise<void> {
  while (room.toRead.size > 0) {
    const runIds = [...room.toRead].slice(0, readRunsMax);
    for (const runId of runIds) room.toRead.delete(runId);
    for (const [runId, outcome] of await room.options.readOutcomes(runIds)) settle(room, runId, outcome);
  }
}

function close(room: Room): void {
  room.isClosed = true;
  for (const others of room.waiters.values()) for (const waiter of others) waiter.reject(stopping());
}

function stopping(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds });
}
