import {
  timelineEntriesMax,
  type OrderTimelineRecord,
  type TimelineEntry,
  type TimelinePart,
  type TimelineRun,
} from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import { isId, type OrderId } from '@holdfast/kernel/ids';
import { getOrder } from '../get-order.js';
import { describeRun } from './describe-run.js';
import type { NetworkOfRuns, RunOfOrder, TimelineDeps, TimerOfOrder } from './ports.js';

const runsMax = 200;
const disputesMax = 400;

type Read<Part> = { readonly found: Part | undefined; readonly unavailable: readonly TimelinePart[] };

/** A part that cannot be read is named in the response, so that the others can be shown meanwhile. */
export async function getTimeline(
  deps: TimelineDeps,
  { id }: { readonly id: OrderId },
  ctx: Context,
): Promise<OrderTimelineRecord> {
  const order = await getOrder(deps, { id }, ctx);
  const { timeline } = deps;
  const [runs, timers, disputeIds] = await Promise.all([
    timeline.runsOf(order, runsMax + 1),
    timeline.timersOf(order),
    timeline.disputeIdsOf(order, disputesMax),
  ]);
  const shownRuns = runs.slice(0, runsMax).toReversed();
  const resourceIds = [order.id, ...(order.escrow === null ? [] : [order.escrow.id]), ...disputeIds];
  const [events, audit, network] = await Promise.all([
    read('events', timeline.events(resourceIds, ctx)),
    read('audit', timeline.audit(order.id, ctx)),
    read('network', networkOf(deps, shownRuns, ctx)),
  ]);
  const described = describeRuns(shownRuns, network.found);
  const entries = [
    ...eventEntries(events.found?.events ?? []),
    ...auditEntries(audit.found?.entries ?? []),
    ...described.flatMap(stepEntries),
    ...transactionEntries(network.found?.transactions ?? []),
    ...timers.map(timerEntry),
  ].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  const hasMore = [events.found, audit.found, network.found].some((part) => part?.hasMore === true);
  return {
    orderId: order.id,
    entries: entries.slice(-timelineEntriesMax),
    isTruncated: hasMore || runs.length > runsMax || entries.length > timelineEntriesMax,
    runs: described,
    unavailable: [events, audit, network].flatMap(({ unavailable }) => unavailable),
  };
}

async function read<Part>(part: TimelinePart, reading: Promise<Part>): Promise<Read<Part>> {
  try {
    return { found: await reading, unavailable: [] };
  } catch (error) {
    if (!isAppError(error, 'SERVICE_UNAVAILABLE')) throw error;
    return { found: undefined, unavailable: [part] };
  }
}

async function networkOf({ timeline }: TimelineDeps, runs: readonly RunOfOrder[], ctx: Context): Promise<NetworkOfRuns> {
  const nothing = { intents: [], transactions: [], hasMore: false };
  return runs.length === 0
    ? nothing
    : timeline.network(
        runs.map(({ id }) => id),
        ctx,
      );
}

function describeRuns(runs: readonly RunOfOrder[], network: NetworkOfRuns | undefined): TimelineRun[] {
  const intents = new Map(network?.intents.map((intent) => [intent.sagaRunId, intent]));
  return runs.map((run) => describeRun(run, intents.get(run.id)));
}

function eventEntries(events: NonNullable<Awaited<ReturnType<TimelineDeps['timeline']['events']>>>['events']) {
  return events.map(({ occurredAt: at, ...event }): TimelineEntry => ({ kind: 'event', at, ...event }));
}

function auditEntries(entries: Awaited<ReturnType<TimelineDeps['timeline']['audit']>>['entries']) {
  return entries.map(({ id: auditId, occurredAt: at, ...entry }): TimelineEntry => ({ kind: 'audit', at, auditId, ...entry }));
}

/** The steps whose time is known. The others are in the run only. */
function stepEntries({ runId, saga, steps }: TimelineRun): readonly TimelineEntry[] {
  return steps.flatMap(({ step, by, state, at, attempts, nextRetryAt, reason }) =>
    at === null ? [] : [{ kind: 'saga_step', at, runId, saga, step, by, state, attempts, nextRetryAt, reason } as const],
  );
}

function transactionEntries(transactions: NetworkOfRuns['transactions']): readonly TimelineEntry[] {
  return transactions.map(({ createdAt: at, sagaRunId: runId, ...transaction }) => ({
    kind: 'network_transaction',
    at,
    runId,
    ...transaction,
  }));
}

function timerEntry({ kind: timer, subject, dueAt: at, attempts, heldReason }: TimerOfOrder): TimelineEntry {
  const isOfDispute = timer.startsWith('dispute-');
  const milestoneRef = isOfDispute || subject === '' ? null : subject;
  const disputeId = isOfDispute && isId(subject, 'dsp') ? subject : null;
  return { kind: 'timer', at, timer, milestoneRef, disputeId, attempts, heldReason };
}
