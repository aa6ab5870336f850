import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { toAppError, type Database } from '@holdfast/postgres';
import { reserveCall, type ReservedCall } from './reserve-call.js';

export type ProviderBudgetOptions = {
  readonly database: Pick<Database, 'pool'>;
  /** The provider. Processes with the same name share the budget. */
  readonly name: string;
  /** Calls within one window; undefined means no limit. */
  readonly callsMax?: number;
  readonly windowMs: number;
};

/**
 * The calls that a provider accepts from all processes: a token bucket that is refilled continuously, so that calls do not burst at
 * the start of each window.
 */
export type ProviderBudget = {
  /**
   * Resolves when a call may be made. Lower priority numbers go first, equal ones in order. Throws SERVICE_UNAVAILABLE while the
   * database is unreachable.
   */
  readonly take: (priority: number, signal?: AbortSignal) => Promise<void>;
  /** Calls that could be made right now, as far as this process knows since its last call; undefined without a limit. */
  readonly left: () => number | undefined;
};

type Waiter = { readonly priority: number; readonly resolve: () => void; readonly reject: (reason: Error) => void };

type State = Required<ProviderBudgetOptions> & {
  /** By priority. */
  readonly waiting: Waiter[];
  isServing: boolean;
  /** When the bucket was or will be empty, by the clock of this process. */
  emptyAtMs: number;
};

export function createProviderBudget({ callsMax, ...options }: ProviderBudgetOptions): ProviderBudget {
  if (callsMax === undefined) return { take: () => Promise.resolve(), left: () => undefined };
  const state: State = { ...options, callsMax, waiting: [], isServing: false, emptyAtMs: Number.NEGATIVE_INFINITY };
  return {
    take: (priority, signal) => take(state, priority, signal),
    left: () => leftOf(state),
  };
}

function take(state: State, priority: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      state.waiting.splice(state.waiting.indexOf(waiter), 1);
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const settled = (): void => signal?.removeEventListener('abort', leave);
    const waiter: Waiter = {
      priority,
      resolve: () => {
        settled();
        resolve();
      },
      reject: (reason) => {
        settled();
        reject(reason);
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    const place = state.waiting.findIndex((other) => other.priority > priority);
    state.waiting.splice(place === -1 ? state.waiting.length : place, 0, waiter);
    if (!state.isServing) serve(state);
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}

/** A failure concerns every waiting call, because none may be made without the database. */
function serve(state: State): void {
  reserveInTurn(state).catch((error: unknown) => {
    for (const waiter of state.waiting.splice(0)) waiter.reject(toAppError(error) as Error);
  });
}

/**
 * Reserves one call at a time, and only then the next one: processes that wait take turns, and a reserved call goes to the first
 * waiter at the time when it may be made. If none is left by then it is lost.
 */
async function reserveInTurn(state: State): Promise<void> {
  state.isServing = true;
  try {
    while (state.waiting.length > 0) {
      const waitMs = await reserve(state);
      if (waitMs > 0) await pause(waitMs, undefined, { ref: false });
      state.waiting.shift()?.resolve();
    }
  } finally {
    state.isServing = false;
  }
}

async function reserve(state: State): Promise<number> {
  const { database, name, callsMax, windowMs } = state;
  const values = [name, windowMs / 1_000, windowMs / callsMax / 1_000];
  const [row] = (await database.pool.query<ReservedCall>(reserveCall, values)).rows;
  if (row === undefined) throw new Error('the budget of the provider has no row');
  const waitMs = Math.ceil(row.waitSeconds * 1_000);
  state.emptyAtMs = performance.now() + waitMs;
  return waitMs;
}

function leftOf({ emptyAtMs, callsMax, windowMs }: State): number {
  const calls = Math.floor(((performance.now() - emptyAtMs) * callsMax) / windowMs);
  return Math.max(0, Math.min(callsMax, calls));
}
