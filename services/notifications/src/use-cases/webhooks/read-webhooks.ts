import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { WebhookDeliveryId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { pageOf, type Page, type PageFilter } from '@holdfast/kernel/pages';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import type { AttemptRecord, DeliveryFilter, WebhookDelivery, WebhookDeps } from './ports.js';

export function listEndpoints(
  { endpoints }: WebhookDeps,
  filter: PageFilter,
  { caller }: Context,
): Promise<Page<WebhookEndpoint>> {
  return pageOf(filter.limit, endpoints.list(caller.marketplaceId, filter));
}

export async function getEndpoint(
  { endpoints }: WebhookDeps,
  id: WebhookEndpointId,
  { caller }: Context,
): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.find(caller.marketplaceId, id);
  if (endpoint === undefined) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND', { endpointId: id });
  return endpoint;
}

export function listDeliveries(
  { deliveries }: WebhookDeps,
  filter: DeliveryFilter,
  { caller }: Context,
): Promise<Page<WebhookDelivery>> {
  return pageOf(filter.limit, deliveries.list(caller.marketplaceId, filter));
}

export type DeliveryWithLog = WebhookDelivery & { readonly attemptLog: readonly AttemptRecord[] };

export async function getDelivery(
  { deliveries }: WebhookDeps,
  id: WebhookDeliveryId,
  { caller }: Context,
): Promise<DeliveryWithLog> {
  const delivery = await deliveries.find(caller.marketplaceId, id);
  if (delivery === undefined) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND', { deliveryId: id });
  return delivery;
}
