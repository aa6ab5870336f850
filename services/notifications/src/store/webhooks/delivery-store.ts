import { createdWithin, equals, newestOf, queryPage, type Database } from '@holdfast/postgres';
import type { WebhookDeps } from '../../use-cases/webhooks/ports.js';
import { deliveries, type DeliveryLogRow, type DeliveryRow } from './schema.js';

const findDelivery = {
  name: 'find-webhook-delivery',
  text: `
  select ${deliveries.selected},
    attempt_log as "attemptLog"
  from ${deliveries.table}
  where marketplace_id = $1
    and id = $2`,
};

export function deliveryStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): WebhookDeps['deliveries'] {
  return {
    find: async (marketplaceId, id) =>
      (await pool.query<DeliveryRow & DeliveryLogRow>(findDelivery, [marketplaceId, id])).rows[0],
    list: (marketplaceId, filter) => {
      const { endpointId, eventId, aggregateId, status } = filter;
      const list = {
        ...newestOf(deliveries),
        scope: [equals('marketplace_id', marketplaceId)],
        filters: [
          ...createdWithin('created_at', filter),
          equals('endpoint_id', endpointId),
          equals('event_id', eventId),
          equals('aggregate_id', aggregateId),
          equals('status', status),
        ],
      };
      return queryPage<DeliveryRow>(lists, list, filter);
    },
  };
}
