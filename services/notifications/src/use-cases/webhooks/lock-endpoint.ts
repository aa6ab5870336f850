import { AppError } from '@holdfast/kernel/errors';
import type { Context } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import type { WebhookUnitOfWork } from './ports.js';

export async function lockEndpoint(
  tx: Pick<WebhookUnitOfWork, 'endpoints'>,
  endpointId: WebhookEndpointId,
  { caller }: Context,
): Promise<WebhookEndpoint> {
  const endpoint = await tx.endpoints.lock(caller.marketplaceId, endpointId);
  if (endpoint === undefined) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND', { endpointId });
  return endpoint;
}
