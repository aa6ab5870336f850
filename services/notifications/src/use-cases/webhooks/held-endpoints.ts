import { holdEndpoint, isIdle, waitingOf, type HeldEndpoint } from './held-endpoint.js';
import { attemptMsMax, type WorkerState } from './worker-state.js';

const claimedMax = 500;
const heldMax = 5_000;
const marginMs = 1_000;

/** Leases are extended in time for another attempt of the longest duration. */
export async function extendLeases(state: WorkerState): Promise<void> {
  const { options, held } = state;
  const atMs = performance.now();
  if ([...held.values()].every(({ leasedUntilMs }) => leasedUntilMs - atMs > attemptMsMax + marginMs)) return;
  const extended = await options.queue.extend([...held.values()].map(({ lease }) => lease));
  const kept = new Set(extended.map(({ endpointId }) => endpointId));
  for (const [id, endpoint] of held) {
    if (kept.has(id)) endpoint.leasedUntilMs = atMs + options.leaseMs;
    else {
      held.delete(id);
      forgetWaiting(state, endpoint);
    }
  }
}

/** What waits for a slot is not sent by this process any more. */
export function forgetWaiting({ known }: WorkerState, endpoint: HeldEndpoint): void {
  for (const { id } of waitingOf(endpoint)) known.delete(id);
}

export async function claimEndpoints(state: WorkerState): Promise<void> {
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

export async function releaseIdle(state: WorkerState): Promise<void> {
  const { options, held } = state;
  const ended = [...state.finished.map(({ delivery }) => delivery), ...state.dropped];
  const unsettled = new Set(ended.map(({ endpointId }) => endpointId));
  const idle = [...held.values()].filter((endpoint) => isIdle(endpoint) && !unsettled.has(endpoint.lease.endpointId));
  if (idle.length === 0) return;
  const leases = idle.map(({ lease, unstored }) => ({ ...lease, storedUntil: unstored.readUntil }));
  for (const { endpointId, dueInMs } of await options.queue.release(leases)) {
    held.delete(endpointId);
    if (dueInMs !== null) options.dueIn(Math.max(0, dueInMs));
  }
  for (const endpoint of idle) {
    if (!held.has(endpoint.lease.endpointId)) continue;
    endpoint.isMore = true;
    state.isTurnWanted = true;
  }
}
