import type { WebhookDeliveryId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { clearWaiting, type HeldEndpoint } from './held-endpoint.js';
import { forgetWaiting } from './held-endpoints.js';
import { settleAttempts, type Ended } from './settle-attempts.js';
import { endFailure, oldestIn, overdueIn, storedUntil } from './unstored-deliveries.js';
import type { DueDelivery } from './worker-ports.js';
import type { WorkerState } from './worker-state.js';

/** A delivery that was read from the log gets its row after this time, if its first attempt has not ended. */
const overdueMs = 1_000;

/** Commits the outcomes of all attempts that have ended, and gives rows to deliveries whose first attempt takes long. */
export async function settle(state: WorkerState): Promise<void> {
  const ended = endedIn(state);
  const { finished, dropped, overdue } = ended;
  if (finished.length + dropped.length + overdue.length === 0) return;
  const closedIds = await settleAttempts(state.options, ended, state.options.newContext());
  state.finished = state.finished.slice(finished.length);
  state.dropped = state.dropped.slice(dropped.length);
  for (const { delivery, outcome } of finished) {
    forget(state, delivery);
    if (outcome.error !== null && !delivery.isReplay) endpointOf(state, delivery, (held) => endFailure(held.unstored, delivery));
  }
  for (const delivery of dropped) forget(state, delivery);
  for (const { delivery, staysInMemory } of overdue) {
    endpointOf(state, delivery, (held) => void held.unstored.entries.delete(delivery.id));
    if (staysInMemory) state.known.add(delivery.id);
  }
  for (const id of closedIds) close(state, id);
}

/** Wakes up the process when the oldest delivery without a row gets one. */
export function awaitOverdue({ options, held }: WorkerState): void {
  const oldest = Math.min(...[...held.values()].map(({ unstored }) => oldestIn(unstored)));
  if (oldest !== Number.POSITIVE_INFINITY) options.dueIn(Math.max(0, oldest + overdueMs - performance.now()) + 1);
}

function endedIn({ held, known, finished, dropped, isStopped }: WorkerState): Ended {
  const ended = new Set(finished.map(({ delivery }) => delivery.id));
  const readBeforeMs = performance.now() - overdueMs;
  const overdue = isStopped
    ? []
    : [...held.values()]
        .flatMap(({ unstored }) => overdueIn(unstored, readBeforeMs))
        .filter(({ delivery }) => !ended.has(delivery.id));
  const withRow = new Set([...ended].filter((id) => known.has(id)));
  const getRows = new Set([...ended, ...overdue.map(({ delivery }) => delivery.id)]);
  const changed = new Set([...finished, ...overdue].map(({ delivery }) => delivery.endpointId));
  return { finished: [...finished], dropped: [...dropped], overdue, storedUntil: untilOf(held, changed, getRows), withRow };
}

function untilOf(
  held: WorkerState['held'],
  changed: ReadonlySet<WebhookEndpointId>,
  getRows: ReadonlySet<WebhookDeliveryId>,
): Ended['storedUntil'] {
  const endpoints = [...changed].flatMap((id) => held.get(id) ?? []);
  return endpoints
    .filter(({ unstored }) => unstored.entries.size > 0)
    .map(({ lease, unstored }) => ({ endpointId: lease.endpointId, position: storedUntil(unstored, getRows) }));
}

/** Its outcome is committed. More may be due now. */
function forget(state: WorkerState, delivery: DueDelivery): void {
  state.known.delete(delivery.id);
  endpointOf(state, delivery, (held) => {
    held.unstored.entries.delete(delivery.id);
    held.isMore = true;
  });
}

function endpointOf({ held }: WorkerState, { endpointId }: DueDelivery, change: (endpoint: HeldEndpoint) => void): void {
  const endpoint = held.get(endpointId);
  if (endpoint !== undefined) change(endpoint);
}

function close(state: WorkerState, id: WebhookEndpointId): void {
  const endpoint = state.held.get(id);
  if (endpoint === undefined) return;
  forgetWaiting(state, endpoint);
  clearWaiting(endpoint);
}
