import { createdWithin, equals, newestOf, queryPage, type Database } from '@holdfast/postgres';
import type { WebhookDeps } from '../../use-cases/webhooks/ports.js';
import { inTimeOfMarketplace, secondsAhead } from './test-clocks.js';
import { deliveries, type DeliveryLogRow, type DeliveryRow } from './schema.js';

const findDelivery = {
  name: 'find-webhook-delivery',
  text: `
  select ${deliveries.selected},
    attempt_log as "attemptLog",
    ${secondsAhead}
  from ${deliveries.table}
  where marketplace_id = $1
    and id = $2`,
};

type Shown = DeliveryRow & { readonly secondsAhead: number };

export function deliveryStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): WebhookDeps['deliveries'] {
  return {
    find: async (marketplaceId, id) =>
      (await pool.query<Shown & DeliveryLogRow>(findDelivery, [marketplaceId, id])).rows.map(inTimeOfMarketplace)[0],
    list: async (marketplaceId, filter) => {
      const { endpointId, eventId, aggregateId, status } = filter;
      const list = {
        ...newestOf({ ...deliveries, selected: `${deliveries.selected}, ${secondsAhead}` }),
        scope: [equals('marketplace_id', marketplaceId)],
        filters: [
          ...createdWithin('created_at', filter),
          equals('endpoint_id', endpointId),
          equals('event_id', eventId),
          equals('aggregate_id', aggregateId),
          equals('status', status),
        ],
      };
      return (await queryPage<Shown>(lists, list, filter))?.map(inTimeOfMarketplace);
    },
  };
}
