import { createSemaphore, pause, type Semaphore } from '@holdfast/kernel/async';
import type { WebhookDeliveryId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { slotsAfter } from '../../domain/webhooks/slots.js';
import { addWaiting, holdEndpoint, isIdle, readAheadOf, takeNext, wantedOf, type HeldEndpoint } from './held-endpoint.js';
import type { AttemptOutcome, DueDelivery, WorkerDeps } from './ports.js';
import { settleAttempts, type FinishedAttempt } from './settle-attempts.js';

export type WorkerOptions = WorkerDeps & {
  /** A process that dies keeps its endpoints for so long. */
  readonly leaseMs: number;
  /** How long attempts in flight may take when the process stops. */
  readonly drainMs: number;
  /** Tracks work that is not awaited. */
  readonly background: (work: Promise<void>) => void;
  /** Something is due in so many milliseconds. */
  readonly dueIn: (ms: number) => void;
};

/** Delivers to the endpoints that this process has leased, each with its own slots. */
export type DeliveryWorker = {
  /** Leases endpoints with due deliveries, reads those and sends them. Resolves when the endpoints are leased. */
  readonly work: () => Promise<void>;
  /** There are new deliveries for these endpoints; returns those that this process has leased. */
  readonly lookAgain: (ids: readonly WebhookEndpointId[]) => readonly WebhookEndpointId[];
  readonly heldIds: () => readonly WebhookEndpointId[];
  readonly stop: () => Promise<void>;
};

type State = {
  readonly options: WorkerOptions;
  readonly held: Map<WebhookEndpointId, HeldEndpoint>;
  /** Read deliveries whose outcome is not committed. */
  readonly known: Set<WebhookDeliveryId>;
  finished: FinishedAttempt[];
  dropped: DueDelivery[];
  readonly places: { readonly all: Semaphore; readonly strained: Semaphore };
  readonly stopping: AbortController;
  isClaiming: boolean;
  whenClaimed: (() => void)[];
  turn: Promise<void> | undefined;
  isTurnWanted: boolean;
  /** In the time of `performance.now()`. */
  turnBegunAtMs: number;
  isStopped: boolean;
};

/** Attempts in flight of one process, to all endpoints. */
const attemptsMax = 200;
/** Endpoints that fail or are slow never have all places. */
const strainedMax = 100;
const claimedMax = 500;
const heldMax = 5_000;
/** Turns that follow each other begin at least so far apart, so that one commit has the outcomes of many attempts. */
const turnSpacingMs = 20;
/** An attempt takes 15 s at most. */
const attemptMsMax = 16_000;
const retryMs = 1_000;

export function createDeliveryWorker(options: WorkerOptions): DeliveryWorker {
  const state: State = {
    options,
    held: new Map(),
    known: new Set(),
    finished: [],
    dropped: [],
    places: { all: createSemaphore({ runningMax: attemptsMax }), strained: createSemaphore({ runningMax: strainedMax }) },
    stopping: new AbortController(),
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
        options.background(takeTurns(state));
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
function takeTurns(state: State): Promise<void> {
  state.isTurnWanted = true;
  state.turn ??= turns(state);
  return state.turn;
}

async function turns(state: State): Promise<void> {
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
async function untilSpaced(state: State): Promise<void> {
  const waitMs = state.turnBegunAtMs + turnSpacingMs - performance.now();
  if (waitMs > 0 && !state.isStopped) await pause(waitMs);
  state.turnBegunAtMs = performance.now();
}

async function takeTurn(state: State): Promise<void> {
  await settle(state);
  if (state.isStopped) return;
  await extend(state);
  await claim(state);
  await readDue(state);
  for (const endpoint of state.held.values()) sendWaiting(state, endpoint);
  if (state.dropped.length > 0) state.isTurnWanted = true;
  await releaseIdle(state);
}

async function settle(state: State): Promise<void> {
  const [finished, dropped] = [[...state.finished], [...state.dropped]];
  if (finished.length + dropped.length === 0) return;
  await settleAttempts(state.options, { finished, dropped }, state.options.newContext());
  state.finished = state.finished.slice(finished.length);
  state.dropped = state.dropped.slice(dropped.length);
  for (const { id, endpointId } of [...finished.map(({ delivery }) => delivery), ...dropped]) {
    state.known.delete(id);
    setMore(state.held, endpointId, true);
  }
}

/** Leases are extended in time for another attempt of the longest duration. */
async function extend({ options, held, known }: State): Promise<void> {
  const { queue, leaseMs } = options;
  const atMs = performance.now();
  if ([...held.values()].every(({ leasedUntilMs }) => leasedUntilMs - atMs > attemptMsMax + retryMs)) return;
  const kept = new Set((await queue.extend([...held.values()].map(({ lease }) => lease))).map(({ endpointId }) => endpointId));
  for (const [id, endpoint] of held) {
    if (kept.has(id)) endpoint.leasedUntilMs = atMs + leaseMs;
    else {
      held.delete(id);
      for (const { id: waitingId } of [...endpoint.waiting.first, ...endpoint.waiting.replays]) known.delete(waitingId);
    }
  }
}

async function claim(state: State): Promise<void> {
  const { options, held } = state;
  const limit = Math.min(claimedMax, heldMax - held.size);
  if (!state.isClaiming || limit === 0) return;
  state.isClaiming = false;
  const leasedUntilMs = performance.now() + options.leaseMs;
  const leases = await options.queue.claim(limit);
  for (const lease of leases) held.set(lease.endpointId, holdEndpoint(lease, leasedUntilMs));
  if (leases.length < limit) return;
  state.isClaiming = true;
  state.isTurnWanted = true;
}

async function readDue({ options, held, known, dropped }: State): Promise<void> {
  const perSlot = readAheadOf(held.values());
  const wanted = [...held.values()].flatMap((endpoint) => wantedOf(endpoint, perSlot) ?? []);
  if (wanted.length === 0) return;
  for (const { endpointId } of wanted) setMore(held, endpointId, false);
  const due = await options.queue.due(wanted, [...known]);
  for (const delivery of due) {
    known.add(delivery.id);
    const endpoint = held.get(delivery.endpointId);
    if (endpoint === undefined) continue;
    if (delivery.body === null) dropped.push(delivery);
    else addWaiting(endpoint, delivery);
  }
  const found = countByQueue(due);
  for (const { endpointId, firstMax, replayMax } of wanted) {
    const { first, replays } = found.get(endpointId) ?? noneFound;
    if (replays === replayMax || first === firstMax) setMore(held, endpointId, true);
  }
}

type Found = { readonly first: number; readonly replays: number };
const noneFound: Found = { first: 0, replays: 0 };

function countByQueue(due: readonly DueDelivery[]): ReadonlyMap<WebhookEndpointId, Found> {
  const counts = new Map<WebhookEndpointId, Found>();
  for (const { endpointId, isReplay } of due) {
    const { first, replays } = counts.get(endpointId) ?? noneFound;
    counts.set(endpointId, isReplay ? { first, replays: replays + 1 } : { first: first + 1, replays });
  }
  return counts;
}

function setMore(held: State['held'], endpointId: WebhookEndpointId, isMore: boolean): void {
  const endpoint = held.get(endpointId);
  if (endpoint !== undefined) endpoint.isMore = isMore;
}

function sendWaiting(state: State, endpoint: HeldEndpoint): void {
  for (let next = takeNext(endpoint); next !== undefined; next = takeNext(endpoint))
    state.options.background(attempt(state, endpoint, next));
}

/** Never rejects. An attempt that was not made is read again. */
async function attempt(state: State, endpoint: HeldEndpoint, delivery: DueDelivery): Promise<void> {
  const { all, strained } = state.places;
  const send = () => all.run(() => sendOnce(state, endpoint, delivery));
  const finished = await (endpoint.slots.isHealthy ? send() : strained.run(send));
  endpoint.inFlight.delete(delivery.id);
  if (finished === undefined) {
    state.known.delete(delivery.id);
    endpoint.isMore = true;
  } else {
    const { error, durationMs } = finished.outcome;
    endpoint.slots = slotsAfter(endpoint.slots, { isDelivered: error === null, durationMs });
    state.options.counts.attempt(error ?? 'DELIVERED', durationMs);
    state.finished.push(finished);
  }
  if (state.isStopped) return;
  sendWaiting(state, endpoint);
  state.options.background(takeTurns(state));
}

/** Undefined where no attempt was made: the process stops, or its lease ends before the attempt might. */
async function sendOnce(state: State, endpoint: HeldEndpoint, delivery: DueDelivery): Promise<FinishedAttempt | undefined> {
  const { sender, clock, log } = state.options;
  const isOwned = state.held.get(delivery.endpointId) === endpoint && endpoint.leasedUntilMs - performance.now() > attemptMsMax;
  if (state.isStopped || !isOwned) return undefined;
  const { url, eventId, secrets, body } = delivery;
  const at = clock.now();
  try {
    const outcome = await sender.send({ url, eventId, secrets, body: body ?? '' }, state.stopping.signal);
    return { delivery, at, endedAt: clock.now(), outcome };
  } catch (error) {
    if (state.stopping.signal.aborted) return undefined;
    log.error({ error, deliveryId: delivery.id }, 'a webhook attempt failed in this process');
    return { delivery, at, endedAt: clock.now(), outcome: failedHere };
  }
}

/** Retried as any failure, so that a fault of our own neither spins nor blocks the endpoint. */
const failedHere: AttemptOutcome = { durationMs: 0, status: null, error: 'RESPONSE', responseBody: '', retryAfterSeconds: null };

async function releaseIdle(state: State): Promise<void> {
  const { options, held } = state;
  const unsettled = new Set(
    [...state.finished.map(({ delivery }) => delivery), ...state.dropped].map(({ endpointId }) => endpointId),
  );
  const idle = [...held.values()].filter((endpoint) => isIdle(endpoint) && !unsettled.has(endpoint.lease.endpointId));
  if (idle.length === 0) return;
  const released = await options.queue.release(idle.map(({ lease }) => lease));
  for (const { endpointId, dueInMs } of released) {
    held.delete(endpointId);
    if (dueInMs !== null) options.dueIn(Math.max(0, dueInMs));
  }
  for (const endpoint of idle) {
    if (!held.has(endpoint.lease.endpointId)) continue;
    endpoint.isMore = true;
    state.isTurnWanted = true;
  }
}

const drainLookMs = 20;

/** Attempts in flight may end within the drain time; what is still in flight then is sent again by another process. */
async function stop(state: State): Promise<void> {
  const { options, held } = state;
  state.isStopped = true;
  const untilMs = performance.now() + options.drainMs;
  const isBusy = (): boolean => [...held.values()].some(({ inFlight }) => inFlight.size > 0);
  while (isBusy() && performance.now() < untilMs) await pause(drainLookMs);
  state.stopping.abort(new Error('stopping'));
  while (isBusy()) await pause(drainLookMs);
  await state.turn;
  await takeTurns(state);
  if (held.size > 0) await options.queue.handOver([...held.values()].map(({ lease }) => lease));
  held.clear();
}
