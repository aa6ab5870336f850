import type { Context, Instant } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { toEpochMs, toInstant } from '@holdfast/kernel/instants';
import { nextAttemptInMs } from '../../domain/webhooks/retry-schedule.js';
import { afterAttempt, disabled, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import { publishDisabled, publishFailing } from './endpoint-messages.js';
import type { AttemptOutcome, DeliveryChange, DueDelivery, WebhookUnitOfWork, WorkerDeps } from './ports.js';

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
};

/** One commit for the outcomes of several attempts: deliveries, what waited for them, and the state of their endpoints. */
export async function settleAttempts(deps: WorkerDeps, { finished, dropped }: Ended, ctx: Context): Promise<void> {
  const ids = [...new Set([...finished.map(({ delivery }) => delivery), ...dropped].map(({ endpointId }) => endpointId))];
  const attempts = byEndpoint(finished);
  const failed = finished.filter(({ outcome }) => outcome.error !== null);
  const failedIds = [...new Set(failed.map(({ delivery }) => delivery.endpointId))];
  const changes = finished.map((attempt) => changeOf(deps, attempt));
  const canceled = await deps.inTransaction(ctx, async (tx) => {
    const endpoints = await tx.endpoints.lockAll(ids, failedIds);
    if (changes.length > 0) await tx.deliveries.record(changes);
    if (dropped.length > 0) await tx.deliveries.cancel(dropped.map(({ id }) => id));
    const ended = [...changes.filter(({ status }) => status !== 'RETRYING'), ...dropped].map(({ id }) => id);
    if (ended.length > 0) await tx.deliveries.dueNext(ended, ctx.at);
    let count = 0;
    for (const endpoint of endpoints)
      count += await settleEndpoint(tx, endpoint, { attempts: attempts.get(endpoint.id) ?? [], ctx });
    return count;
  });
  for (const ended of ['DELIVERED', 'EXHAUSTED'] as const)
    deps.counts.ended(ended, changes.filter(({ status }) => status === ended).length);
  if (canceled + dropped.length > 0) deps.counts.ended('CANCELED', canceled + dropped.length);
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

function changeOf({ retryGaps, random }: WorkerDeps, { delivery, at, endedAt, outcome }: FinishedAttempt): DeliveryChange {
  const { retryAfterSeconds, ...seen } = outcome;
  const { id, attempts } = delivery;
  const change = { id, attempts, attempt: { at, ...seen } };
  if (outcome.error === null) return { ...change, status: 'DELIVERED', nextAttemptAt: null, deliveredAt: endedAt };
  // The endpoint is disabled in the same commit, which cancels what is open.
  if (outcome.status === gone) return { ...change, status: 'RETRYING', nextAttemptAt: endedAt, deliveredAt: null };
  const inMs = nextAttemptInMs({ gaps: retryGaps, attempts: attempts + 1, retryAfterSeconds, random: random() });
  if (inMs === undefined) return { ...change, status: 'EXHAUSTED', nextAttemptAt: null, deliveredAt: null };
  return { ...change, status: 'RETRYING', nextAttemptAt: toInstant(toEpochMs(endedAt) + inMs), deliveredAt: null };
}

type Settled = { readonly attempts: readonly FinishedAttempt[]; readonly ctx: Context };

/** Returns how many deliveries it has canceled. */
async function settleEndpoint(tx: WebhookUnitOfWork, before: WebhookEndpoint, { attempts, ctx }: Settled): Promise<number> {
  // A deleted or disabled endpoint stays as it is.
  if (before.deletedAt !== null || before.status === 'DISABLED') return 0;
  const after = attempts.length === 0 ? before : endpointAfter(before, attempts, ctx.at);
  if (after === before) return 0;
  await tx.endpoints.save(after);
  if (after.status === 'DISABLED') {
    publishDisabled(tx, before, after, ctx);
    return tx.deliveries.cancelOpen(after.id);
  }
  if (after.failingSince !== null && before.failingSince === null) publishFailing(tx, after);
  return 0;
}

function endpointAfter(before: WebhookEndpoint, attempts: readonly FinishedAttempt[], at: Instant): WebhookEndpoint {
  if (attempts.some(({ outcome }) => outcome.status === gone)) return disabled(before, 'GONE', at);
  // One success among them ends the failures.
  const isDelivered = attempts.some(({ outcome }) => outcome.error === null);
  return afterAttempt(before, isDelivered, at);
}
