import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { toEpochMs, toInstant, type Instant } from '@holdfast/kernel/instants';
import { moved } from '@holdfast/kernel/states';
import { webhookEndpointMoves, type WebhookEndpointStatus } from './webhook-endpoint-states.js';

export type WebhookOrdering = 'aggregate' | 'none';
/** `GONE`: the receiver has responded with 410. */
export type DisabledReason = 'BY_HAND' | 'GONE' | 'FAILING';

export type WebhookEndpoint = {
  readonly id: WebhookEndpointId;
  readonly marketplaceId: MarketplaceId;
  readonly url: string;
  /** Event types, or such as `order.*`; empty means all. */
  readonly types: readonly string[];
  readonly description: string | null;
  readonly ordering: WebhookOrdering;
  readonly status: WebhookEndpointStatus;
  readonly secret: string;
  readonly previous: { readonly secret: string; readonly validUntil: Instant } | null;
  /** The first failure since the last success. */
  readonly failedSince: Instant | null;
  /** The same, once it is shown. */
  readonly failingSince: Instant | null;
  readonly disabledAt: Instant | null;
  readonly disabledReason: DisabledReason | null;
  readonly deletedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
};

type Changes = Partial<Pick<WebhookEndpoint, 'url' | 'types' | 'description' | 'ordering'>>;

export function changed(endpoint: WebhookEndpoint, changes: Changes, at: Instant): WebhookEndpoint {
  return next(endpoint, changes, at);
}

/** A second rotation during an overlap would end the secret that receivers still use, so it must say so: with an overlap of 0. */
export function rotated(
  endpoint: WebhookEndpoint,
  rotation: { readonly secret: string; readonly overlapSeconds: number },
  at: Instant,
): WebhookEndpoint {
  const { secret, overlapSeconds } = rotation;
  const overlapUntil = endpoint.previous?.validUntil;
  if (overlapSeconds > 0 && overlapUntil !== undefined && overlapUntil > at)
    throw new AppError('INVALID_STATE', { currentStatus: endpoint.status, previousSecretValidUntil: overlapUntil });
  const validUntil = toInstant(toEpochMs(at) + overlapSeconds * 1_000);
  return next(endpoint, { secret, previous: overlapSeconds === 0 ? null : { secret: endpoint.secret, validUntil } }, at);
}

/** The secrets that sign an attempt at this time, the newest first. */
export function signingSecrets(
  { secret, previous }: Pick<WebhookEndpoint, 'secret' | 'previous'>,
  at: Instant,
): readonly string[] {
  return previous !== null && previous.validUntil > at ? [secret, previous.secret] : [secret];
}

export function disabled(endpoint: WebhookEndpoint, reason: DisabledReason, at: Instant): WebhookEndpoint {
  const status = moved(webhookEndpointMoves, 'disable', endpoint.status);
  return next(endpoint, { status, disabledAt: at, disabledReason: reason }, at);
}

export function enabled(endpoint: WebhookEndpoint, at: Instant): WebhookEndpoint {
  const status = moved(webhookEndpointMoves, 'enable', endpoint.status);
  return next(endpoint, { status, disabledAt: null, disabledReason: null, failedSince: null, failingSince: null }, at);
}

export function deleted(endpoint: WebhookEndpoint, at: Instant): WebhookEndpoint {
  return next(endpoint, { deletedAt: at }, at);
}

const hourMs = 3_600_000;
const failingAfterMs = 24 * hourMs;
const disabledAfterMs = 5 * 24 * hourMs;

/** The endpoint after an attempt. Only time counts, not the number of failures: a busy endpoint has many in a minute. */
export function afterAttempt(endpoint: WebhookEndpoint, isDelivered: boolean, at: Instant): WebhookEndpoint {
  const { failedSince, failingSince, status } = endpoint;
  if (isDelivered && failingSince !== null) return next(endpoint, { failedSince: null, failingSince: null }, at);
  if (isDelivered) return failedSince === null ? endpoint : { ...endpoint, failedSince: null };
  if (failedSince === null) return { ...endpoint, failedSince: at };
  const failedMs = toEpochMs(at) - toEpochMs(failedSince);
  if (failedMs >= disabledAfterMs && status === 'ENABLED')
    return disabled({ ...endpoint, failingSince: failedSince }, 'FAILING', at);
  return failedMs >= failingAfterMs && failingSince === null ? next(endpoint, { failingSince: failedSince }, at) : endpoint;
}

function next(endpoint: WebhookEndpoint, changes: Partial<WebhookEndpoint>, at: Instant): WebhookEndpoint {
  return { ...endpoint, ...changes, updatedAt: at, version: endpoint.version + 1 };
}
