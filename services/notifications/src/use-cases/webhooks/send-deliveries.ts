import { slotsAfter } from '../../domain/webhooks/slots.js';
import { takeNext, type HeldEndpoint } from './held-endpoint.js';
import type { AttemptOutcome } from './ports.js';
import type { FinishedAttempt } from './settle-attempts.js';
import { afterFailure, afterSuccess } from './unstored-deliveries.js';
import type { DueDelivery } from './worker-ports.js';
import { attemptMsMax, type WorkerState } from './worker-state.js';

/** Sends what has a slot. */
export function sendWaiting(state: WorkerState, endpoint: HeldEndpoint): void {
  for (let next = takeNext(endpoint); next !== undefined; next = takeNext(endpoint))
    state.options.background(attempt(state, endpoint, next));
}

/** Never rejects. */
async function attempt(state: WorkerState, endpoint: HeldEndpoint, delivery: DueDelivery): Promise<void> {
  const { all, strained } = state.places;
  const send = () => all.run(() => sendOnce(state, endpoint, delivery));
  const finished = await (endpoint.slots.isHealthy ? send() : strained.run(send));
  endpoint.inFlight.delete(delivery.id);
  if (finished === undefined) endpoint.postponed.push(delivery);
  else end(state, endpoint, finished);
  if (state.isStopped) return;
  sendWaiting(state, endpoint);
  state.wantTurn();
}

/** Undefined where no attempt was made: the process stops, or its lease ends before the attempt might. */
async function sendOnce(state: WorkerState, endpoint: HeldEndpoint, delivery: DueDelivery): Promise<FinishedAttempt | undefined> {
  const { sender, clock, log } = state.options;
  const isOwned = state.held.get(delivery.endpointId) === endpoint && endpoint.leasedUntilMs - performance.now() > attemptMsMax;
  if (state.isStopped || !isOwned) return undefined;
  const { url, eventId, secrets, content } = delivery;
  const at = clock.now();
  try {
    const outcome = await sender.send({ url, eventId, secrets, body: content ?? '' }, state.stopping.signal);
    return { delivery, at, endedAt: clock.now(), outcome };
  } catch (error) {
    if (state.stopping.signal.aborted) return undefined;
    log.error({ error, deliveryId: delivery.id }, 'a webhook attempt failed in this process');
    return { delivery, at, endedAt: clock.now(), outcome: failedHere };
  }
}

/** Retried as any failure, so that a fault of our own neither spins nor blocks the endpoint. */
const failedHere: AttemptOutcome = { durationMs: 0, status: null, error: 'RESPONSE', responseBody: '', retryAfterSeconds: null };

/** The next delivery of the aggregate is sent after a success, and waits in a row after a failure. */
function end(state: WorkerState, endpoint: HeldEndpoint, finished: FinishedAttempt): void {
  const { delivery, outcome } = finished;
  const { error, durationMs } = outcome;
  endpoint.slots = slotsAfter(endpoint.slots, { isDelivered: error === null, durationMs });
  state.options.counts.attempt(error ?? 'DELIVERED', durationMs);
  state.finished.push(finished);
  if (delivery.isReplay) return;
  if (error === null) endpoint.waiting.first.push(...afterSuccess(endpoint.unstored, delivery));
  else for (const { id } of afterFailure(endpoint.unstored, delivery)) state.known.delete(id);
}
