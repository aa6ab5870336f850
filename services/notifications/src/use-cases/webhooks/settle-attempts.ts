import type { Context, Instant } from '@holdfast/kernel/context';
import type { WebhookDeliveryId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { toEpochMs, toInstant } from '@holdfast/kernel/instants';
import { nextAttemptInMs } from '../../domain/webhooks/retry-schedule.js';
import { afterAttempt, disabled, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import { cancelDeliveries } from './cancel-deliveries.js';
import { publishDisabled, publishFailing } from './endpoint-messages.js';
import type { AttemptOutcome, DeliveryState, StoredUntil, WebhookUnitOfWork } from './ports.js';
import type { Overdue } from './unstored-deliveries.js';
import type { DueDelivery, WorkerDeps } from './worker-ports.js';

/** An attempt that has ended. */
export type FinishedAttempt = {
  readonly delivery: DueDelivery;
  readonly at: Instant;
  readonly endedAt: Instant;
  readonly outcome: AttemptOutcome;
};

const gone = 410;

export type Ended = {
  readonly finished: readonly FinishedAttempt[];
  /** Deliveries whose events the history has dropped. */
  readonly dropped: readonly DueDelivery[];
  readonly overdue: readonly Overdue[];
  /** Batches of the log that end there need not be kept. */
  readonly storedUntil: readonly StoredUntil[];
  /** Deliveries that had a row before. Others wait for them in rows. */
  readonly withRow: ReadonlySet<WebhookDeliveryId>;
};

/**
 * One commit for the outcomes of several attempts: deliveries, what waited for them, and the state of their endpoints. Returns the
 * endpoints that are disabled or deleted.
 */
export async function settleAttempts(deps: WorkerDeps, ended: Ended, ctx: Context): Promise<readonly WebhookEndpointId[]> {
  const { finished, dropped, overdue } = ended;
  const attempts = byEndpoint(finished);
  const states = finished.map((attempt) => stateAfter(deps, attempt));
  const { canceled, closedIds } = await deps.inTransaction(ctx, async (tx) => {
    const endpoints = await tx.endpoints.lockAll(endpointsOf(ended), failedIdsOf(finished));
    const rows = [...overdue.map(rowOf), ...states];
    if (rows.length > 0) await tx.deliveries.store(rows);
    if (dropped.length > 0) await tx.deliveries.cancel(dropped.map(({ id }) => id));
    const next = [...states.filter((state) => endsWaits(state, ended)).map(({ subject }) => subject), ...dropped];
    if (next.length > 0)
      await tx.deliveries.dueNext(
        next.map(({ id }) => id),
        ctx.at,
      );
    if (ended.storedUntil.length > 0) await tx.batches.remove(ended.storedUntil);
    let count = 0;
    const closed: WebhookEndpointId[] = [];
    for (const endpoint of endpoints) {
      const settled = await settleEndpoint(tx, endpoint, { attempts: attempts.get(endpoint.id) ?? [], ctx });
      count += settled.canceled;
      if (settled.isClosed) closed.push(endpoint.id);
    }
    return { canceled: count, closedIds: closed };
  });
  for (const status of ['DELIVERED', 'EXHAUSTED'] as const)
    deps.counts.ended(status, states.filter((state) => state.status === status).length);
  if (canceled + dropped.length > 0) deps.counts.ended('CANCELED', canceled + dropped.length);
  return closedIds;
}

function endpointsOf({ finished, dropped, overdue }: Ended): readonly WebhookEndpointId[] {
  const deliveries = [...[...finished, ...overdue].map(({ delivery }) => delivery), ...dropped];
  return [...new Set(deliveries.map(({ endpointId }) => endpointId))];
}

function failedIdsOf(finished: readonly FinishedAttempt[]): readonly WebhookEndpointId[] {
  const failed = finished.filter(({ outcome }) => outcome.error !== null);
  return [...new Set(failed.map(({ delivery }) => delivery.endpointId))];
}

function byEndpoint(finished: readonly FinishedAttempt[]): ReadonlyMap<WebhookEndpointId, readonly FinishedAttempt[]> {
  const grouped = new Map<WebhookEndpointId, FinishedAttempt[]>();
  for (const attempt of finished) {
    const known = grouped.get(attempt.delivery.endpointId);
    if (known === undefined) grouped.set(attempt.delivery.endpointId, [attempt]);
    else known.push(attempt);
  }
  return grouped;
}

/** The row of a delivery before its first attempt has ended. */
function rowOf({ delivery, isSendable }: Overdue): DeliveryState {
  const nextAttemptAt = isSendable ? delivery.createdAt : null;
  return { subject: delivery, status: 'PENDING', attempts: 0, attempt: null, nextAttemptAt, deliveredAt: null };
}

function stateAfter({ retryGaps, random }: WorkerDeps, { delivery, at, endedAt, outcome }: FinishedAttempt): DeliveryState {
  const { retryAfterSeconds, ...seen } = outcome;
  const { attempts } = delivery;
  const state = { subject: delivery, attempts, attempt: { at, ...seen } };
  if (outcome.error === null) return { ...state, status: 'DELIVERED', nextAttemptAt: null, deliveredAt: endedAt };
  // The endpoint is disabled in the same commit, which cancels what is open.
  if (outcome.status === gone) return { ...state, status: 'RETRYING', nextAttemptAt: endedAt, deliveredAt: null };
  const inMs = nextAttemptInMs({ gaps: retryGaps, attempts: attempts + 1, retryAfterSeconds, random: random() });
  if (inMs === undefined) return { ...state, status: 'EXHAUSTED', nextAttemptAt: null, deliveredAt: null };
  return { ...state, status: 'RETRYING', nextAttemptAt: toInstant(toEpochMs(endedAt) + inMs), deliveredAt: null };
}

/** What comes after a delivery that succeeds at once is still in memory. Behind all others it may wait in rows. */
function endsWaits({ subject, status }: DeliveryState, { withRow }: Ended): boolean {
  return status === 'EXHAUSTED' || (status === 'DELIVERED' && withRow.has(subject.id));
}

type Attempts = { readonly attempts: readonly FinishedAttempt[]; readonly ctx: Context };
type Settled = { readonly isClosed: boolean; readonly canceled: number };

async function settleEndpoint(tx: WebhookUnitOfWork, before: WebhookEndpoint, { attempts, ctx }: Attempts): Promise<Settled> {
  // A deleted or disabled endpoint stays as it is.
  if (before.deletedAt !== null || before.status === 'DISABLED') return { isClosed: true, canceled: 0 };
  const after = attempts.length === 0 ? before : endpointAfter(before, attempts, ctx.at);
  if (after === before) return { isClosed: false, canceled: 0 };
  await tx.endpoints.save(after);
  if (after.status === 'DISABLED') {
    publishDisabled(tx, before, after, ctx);
    return { isClosed: true, canceled: await cancelDeliveries(tx, after.id) };
  }
  if (after.failingSince !== null && before.failingSince === null) publishFailing(tx, after);
  return { isClosed: false, canceled: 0 };
}

function endpointAfter(before: WebhookEndpoint, attempts: readonly FinishedAttempt[], at: Instant): WebhookEndpoint {
  if (attempts.some(({ outcome }) => outcome.status === gone)) return disabled(before, 'GONE', at);
  // One success among them ends the failures.
  const isDelivered = attempts.some(({ outcome }) => outcome.error === null);
  return afterAttempt(before, isDelivered, at);
}
