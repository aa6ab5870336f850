import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { WebhookEndpoint, WebhookOrdering } from '../../domain/webhooks/webhook-endpoint.js';
import { publishAudit } from './endpoint-messages.js';
import type { WebhookDeps } from './ports.js';
import { requireReachableUrl } from './require-url.js';

export type CreateEndpoint = {
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string | undefined;
  readonly ordering: WebhookOrdering;
};

/** It gets the events that are appended from now on. */
export async function createEndpoint(deps: WebhookDeps, input: CreateEndpoint, ctx: Context): Promise<WebhookEndpoint> {
  const { marketplaceId } = ctx.caller;
  await requireReachableUrl(deps, input.url);
  const endpoint = await deps.perform({ name: 'createWebhookEndpoint', input, ctx }, async (tx) => {
    if ((await tx.endpoints.count(marketplaceId)) >= deps.endpointsMax)
      throw new AppError('LIMIT_EXCEEDED', { limit: deps.endpointsMax, counted: 'webhook endpoints' });
    const created = newEndpoint(deps, input, ctx);
    const end = await tx.log.lockFanOut();
    await tx.endpoints.insert(created, { fanOutAfter: end, replayAfter: end });
    publishAudit(tx, { action: 'WEBHOOK_ENDPOINT_CREATED', before: null, after: created }, ctx);
    tx.wakeWorkers();
    return created;
  });
  ctx.log.info({ endpointId: endpoint.id }, 'webhook endpoint created');
  return endpoint;
}

function newEndpoint({ newId, newSecret }: WebhookDeps, input: CreateEndpoint, { caller, at }: Context): WebhookEndpoint {
  const { url, types, description, ordering } = input;
  return {
    id: newId('whk'),
    marketplaceId: caller.marketplaceId,
    url,
    types: [...new Set(types)],
    description: description === undefined || description === '' ? null : description,
    ordering,
    status: 'ENABLED',
    secret: newSecret(),
    previous: null,
    failedSince: null,
    failingSince: null,
    disabledAt: null,
    disabledReason: null,
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
}
