import { createSemaphore, pause } from '@holdfast/kernel/async';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { extendLeases, claimEndpoints, releaseIdle } from './held-endpoints.js';
import { readDeliveries } from './read-deliveries.js';
import { sendWaiting } from './send-deliveries.js';
import { awaitOverdue, settle } from './settle-turn.js';
import type { WorkerOptions, WorkerState } from './worker-state.js';

/** Delivers to the endpoints that this process has leased, each with its own slots. */
export type DeliveryWorker = {
  /** Leases endpoints with due deliveries, reads those and sends them. Resolves when the endpoints are leased. */
  readonly work: () => Promise<void>;
  /** There are new deliveries for these endpoints; returns those that this process has leased. */
  readonly lookAgain: (ids: readonly WebhookEndpointId[]) => readonly WebhookEndpointId[];
  readonly heldIds: () => readonly WebhookEndpointId[];
  readonly stop: () => Promise<void>;
};

/** Attempts in flight of one process, to all endpoints. */
const attemptsMax = 200;
/** Endpoints that fail or are slow never have all places. */
const strainedMax = 100;
/** Turns that follow each other begin at least so far apart, so that one commit has the outcomes of many attempts. */
const turnSpacingMs = 20;
const retryMs = 1_000;

export function createDeliveryWorker(options: WorkerOptions): DeliveryWorker {
  const state: WorkerState = {
    options,
    held: new Map(),
    known: new Set(),
    finished: [],
    dropped: [],
    places: { all: createSemaphore({ runningMax: attemptsMax }), strained: createSemaphore({ runningMax: strainedMax }) },
    stopping: new AbortController(),
    wantTurn: () => wantTurn(state),
    isClaiming: false,
    whenClaimed: [],
    turn: undefined,
    isTurnWanted: false,
    turnBegunAtMs: -turnSpacingMs,
    isStopped: false,
  };
  return {
    work: () =>
      new Promise((resolve) => {
        state.isClaiming = true;
        state.whenClaimed.push(resolve);
        state.wantTurn();
      }),
    lookAgain: (ids) => {
      const endpoints = ids.flatMap((id) => state.held.get(id) ?? []);
      for (const endpoint of endpoints) endpoint.isMore = true;
      return endpoints.map(({ lease }) => lease.endpointId);
    },
    heldIds: () => [...state.held.keys()],
    stop: () => stop(state),
  };
}

/** One turn at a time; what happens during one is the work of the next. */
function wantTurn(state: WorkerState): void {
  state.isTurnWanted = true;
  if (state.turn !== undefined) return;
  state.turn = turns(state);
  state.options.background(state.turn);
}

async function turns(state: WorkerState): Promise<void> {
  const { log, dueIn } = state.options;
  while (state.isTurnWanted) {
    state.isTurnWanted = false;
    try {
      await untilSpaced(state);
      await takeTurn(state);
    } catch (error) {
      // Outcomes stay in memory until they are committed. Leases end by themselves.
      if (!state.isStopped) log.warn({ error, unsettled: state.finished.length }, 'webhook deliveries are paused');
      dueIn(retryMs);
      break;
    } finally {
      for (const resolve of state.whenClaimed.splice(0)) resolve();
    }
  }
  state.turn = undefined;
}

/** The first turn after a moment of rest begins at once. */
async function untilSpaced(state: WorkerState): Promise<void> {
  const waitMs = state.turnBegunAtMs + turnSpacingMs - performance.now();
  if (waitMs > 0 && !state.isStopped) await pause(waitMs);
  state.turnBegunAtMs = performance.now();
}

async function takeTurn(state: WorkerState): Promise<void> {
  await settle(state);
  if (state.isStopped) return;
  await extendLeases(state);
  await claimEndpoints(state);
  await readDeliveries(state);
  for (const endpoint of state.held.values()) sendWaiting(state, endpoint);
  if (state.dropped.length > 0) state.isTurnWanted = true;
  await releaseIdle(state);
  awaitOverdue(state);
}

const drainLookMs = 20;

/** Attempts in flight may end within the drain time; what is still in flight then is sent again by another process. */
async function stop(state: WorkerState): Promise<void> {
  const { options, held } = state;
  state.isStopped = true;
  const untilMs = performance.now() + options.drainMs;
  const isBusy = (): boolean => [...held.values()].some(({ inFlight }) => inFlight.size > 0);
  while (isBusy() && performance.now() < untilMs) await pause(drainLookMs);
  state.stopping.abort(new Error('stopping'));
  while (isBusy()) await pause(drainLookMs);
  await state.turn;
  wantTurn(state);
  await state.turn;
  if (held.size > 0) await options.queue.handOver([...held.values()].map(({ lease }) => lease));
  held.clear();
}
