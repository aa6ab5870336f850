import { describeEvent } from '@holdfast/contracts/openapi';
import { event, type EventRecord } from '@holdfast/contracts/http';
import { allMessages } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, MessageId, WebhookEndpointId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { webhookEndpointMoves } from '../../domain/webhooks/webhook-endpoint-states.js';
import { lockEndpoint } from './lock-endpoint.js';
import type { NewDelivery, ShownDelivery, WebhookDeps } from './ports.js';

export type TestEndpoint = { readonly id: WebhookEndpointId; readonly type: string };

/** Queues an example event that is not in the log. */
export function testEndpoint(deps: WebhookDeps, input: TestEndpoint, ctx: Context): Promise<ShownDelivery> {
  return deps.perform({ name: 'testWebhookEndpoint', input, ctx }, async (tx) => {
    const endpoint = await lockEndpoint(tx, input.id, ctx);
    moved(webhookEndpointMoves, 'deliver', endpoint.status);
    const { id: endpointId, marketplaceId } = endpoint;
    const record = testEvent(input.type, { eventId: deps.newId('evt'), marketplaceId }, ctx);
    const { eventType, aggregateType, aggregateId } = record;
    const delivery: NewDelivery = {
      id: deps.newId('whd'),
      endpointId,
      marketplaceId,
      eventId: record.eventId,
      eventType,
      aggregateType,
      aggregateId,
      position: 0n,
      eventAppendedAt: null,
      body: JSON.stringify(record),
      isReplay: true,
      isOrdered: false,
      createdAt: ctx.at,
    };
    await tx.deliveries.insert([delivery]);
    tx.wakeWorkers();
    return pendingDelivery(delivery);
  });
}

/** A new delivery that waits for none, as the API shows it. */
export function pendingDelivery(delivery: NewDelivery): ShownDelivery {
  const { id, endpointId, eventId, eventType, aggregateId, createdAt } = delivery;
  const state = { status: 'PENDING', attempts: 0, nextAttemptAt: createdAt, deliveredAt: null } as const;
  return { id, endpointId, eventId, eventType, aggregateId, ...state, createdAt };
}

type TestIds = { readonly eventId: MessageId; readonly marketplaceId: MarketplaceId };

/** The example of the reference, with ids of its own. */
function testEvent(type: string, { eventId, marketplaceId }: TestIds, { at, requestId }: Context): EventRecord {
  const declaration = allMessages.find((message) => message.type === type);
  if (declaration === undefined) throw new AppError('VALIDATION_ERROR', { validationErrors: ['type must be an event type'] });
  const example = event.parse(describeEvent(declaration).example);
  const metadata = {
    correlationId: requestId,
    causationId: null,
    marketplaceId,
    producedAt: at,
    aggregateVersion: 0,
    test: true,
  };
  return { ...example, eventId, occurredAt: at, metadata };
}
