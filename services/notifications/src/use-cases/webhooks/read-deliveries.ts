import type { WebhookDeliveryId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { addDue, readAheadOf, wantedOf, type HeldEndpoint } from './held-endpoint.js';
import { storeBacklog } from './store-backlog.js';
import { addUnstored } from './unstored-deliveries.js';
import type { LogPart, Wanted } from './worker-ports.js';
import type { WorkerState } from './worker-state.js';

/** Reads what the slots will take soon: due rows, then the log. */
export async function readDeliveries(state: WorkerState): Promise<void> {
  const endpoints = [...state.held.values()];
  for (const endpoint of endpoints) for (const delivery of endpoint.postponed.splice(0)) addDue(endpoint, delivery);
  const perSlot = readAheadOf(endpoints);
  const withMore = endpoints.filter(({ isMore }) => isMore);
  for (const endpoint of withMore) endpoint.isMore = false;
  const wanted = withMore.map((endpoint) => wantedOf(endpoint, perSlot));
  const due = await readDue(
    state,
    wanted.filter(({ firstMax, replayMax }) => firstMax + replayMax > 0),
  );
  const left = wanted.map((each) => ({ ...each, firstMax: each.firstMax - (due.get(each.endpointId) ?? 0) }));
  await readLog(
    state,
    left.filter(({ firstMax }) => firstMax > 0),
  );
  await readBacklog(
    state,
    left.filter(({ firstMax }) => firstMax === 0),
  );
}

/** Returns how many first deliveries were read for each endpoint. */
async function readDue(state: WorkerState, wanted: readonly Wanted[]): Promise<ReadonlyMap<WebhookEndpointId, number>> {
  const { options, held, known, dropped } = state;
  const counts = { first: new Map<WebhookEndpointId, number>(), replays: new Map<WebhookEndpointId, number>() };
  if (wanted.length === 0) return counts.first;
  for (const delivery of await options.queue.due(wanted, [...known])) {
    const { id, endpointId, isReplay } = delivery;
    known.add(id);
    const count = isReplay ? counts.replays : counts.first;
    count.set(endpointId, (count.get(endpointId) ?? 0) + 1);
    const endpoint = held.get(endpointId);
    if (endpoint === undefined) continue;
    if (delivery.content === null) dropped.push(delivery);
    else addDue(endpoint, delivery);
  }
  for (const { endpointId, firstMax, replayMax } of wanted) {
    const isFull = counts.first.get(endpointId) === firstMax || counts.replays.get(endpointId) === replayMax;
    if (isFull) setMore(held, endpointId);
  }
  return counts.first;
}

async function readLog({ options, held }: WorkerState, wanted: readonly Wanted[]): Promise<void> {
  const endpoints = wanted.flatMap(({ endpointId }) => held.get(endpointId) ?? []);
  if (endpoints.length === 0) return;
  const after = (id: WebhookEndpointId): bigint => held.get(id)?.unstored.readUntil ?? 0n;
  const parts = await options.queue.unstored(
    wanted.map(({ endpointId, firstMax }) => ({ endpointId, after: after(endpointId), max: firstMax })),
  );
  const stored = await storedOf(options.queue, held, parts);
  const byEndpoint = new Map(parts.map((part) => [part.endpointId, part]));
  for (const { endpointId, firstMax } of wanted) {
    const [endpoint, part] = [held.get(endpointId), byEndpoint.get(endpointId)];
    if (endpoint === undefined) continue;
    if (part !== undefined) take(endpoint, part, stored);
    if (part?.count === firstMax) endpoint.isMore = true;
    else endpoint.isTakenOver = false;
  }
}

/** The process before may have died between the row of a delivery and the end of its batch. */
async function storedOf(
  queue: WorkerState['options']['queue'],
  held: WorkerState['held'],
  parts: readonly LogPart[],
): Promise<ReadonlySet<WebhookDeliveryId>> {
  const takenOver = parts.filter(({ endpointId }) => held.get(endpointId)?.isTakenOver === true);
  const ids = takenOver.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
  return new Set(ids.length === 0 ? [] : await queue.stored(ids));
}

function take({ waiting, unstored }: HeldEndpoint, { deliveries, until }: LogPart, stored: ReadonlySet<WebhookDeliveryId>): void {
  const atMs = performance.now();
  unstored.readUntil = until;
  for (const delivery of deliveries)
    if (!stored.has(delivery.id) && addUnstored(unstored, delivery, atMs)) waiting.first.push(delivery);
}

/** The log behind a slow endpoint gets rows when everything in memory has them. */
async function readBacklog(state: WorkerState, wanted: readonly Wanted[]): Promise<void> {
  const { options, held } = state;
  const full = wanted.flatMap(({ endpointId }) => held.get(endpointId) ?? []);
  for (const endpoint of full) endpoint.isMore = true;
  const slow = full.filter(({ unstored }) => unstored.entries.size === 0);
  if (slow.length === 0) return;
  const behind = slow.map(({ lease, unstored }) => ({ endpointId: lease.endpointId, after: unstored.readUntil }));
  const backlog = await storeBacklog(options, behind, options.newContext());
  for (const { endpointId, until, isMore } of backlog) {
    const endpoint = held.get(endpointId);
    if (endpoint === undefined) continue;
    endpoint.unstored.readUntil = until;
    if (isMore) state.isTurnWanted = true;
  }
}

function setMore(held: WorkerState['held'], endpointId: WebhookEndpointId): void {
  const endpoint = held.get(endpointId);
  if (endpoint !== undefined) endpoint.isMore = true;
}
