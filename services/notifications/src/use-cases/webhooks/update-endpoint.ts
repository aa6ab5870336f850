import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { changed, type WebhookEndpoint, type WebhookOrdering } from '../../domain/webhooks/webhook-endpoint.js';
import { publishAudit } from './endpoint-messages.js';
import { lockEndpoint } from './lock-endpoint.js';
import type { WebhookDeps } from './ports.js';
import { requireReachableUrl } from './require-url.js';

export type UpdateEndpoint = {
  readonly id: WebhookEndpointId;
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly ordering?: WebhookOrdering | undefined;
};

export async function updateEndpoint(deps: WebhookDeps, input: UpdateEndpoint, ctx: Context): Promise<WebhookEndpoint> {
  const { id, url } = input;
  const isKnown = (await deps.endpoints.find(ctx.caller.marketplaceId, id)) !== undefined;
  if (!isKnown) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND', { endpointId: id });
  if (url !== undefined) await requireReachableUrl(deps, url);
  return deps.perform({ name: 'updateWebhookEndpoint', input, ctx }, async (tx) => {
    const before = await lockEndpoint(tx, id, ctx);
    const after = changed(before, changesOf(input), ctx.at);
    await tx.endpoints.save(after);
    if (after.ordering === 'none' && before.ordering !== 'none') {
      await tx.deliveries.endWaits(id, ctx.at);
      tx.wakeWorkers();
    }
    publishAudit(tx, { action: 'WEBHOOK_ENDPOINT_UPDATED', before, after }, ctx);
    return after;
  });
}

function changesOf({ url, types, description, ordering }: UpdateEndpoint): Parameters<typeof changed>[1] {
  return {
    ...(url === undefined ? {} : { url }),
    ...(types === undefined ? {} : { types: [...new Set(types)] }),
    ...(description === undefined ? {} : { description: description === '' ? null : description }),
    ...(ordering === undefined ? {} : { ordering }),
  };
}
