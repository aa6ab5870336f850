import { IsNull } from 'typeorm';
import { createdWithin, equals, newestOf, queryPage, type Condition, type Database } from '@holdfast/postgres';
import type { WebhookDeps } from '../../use-cases/webhooks/ports.js';
import { endpoints, type EndpointRow } from './schema.js';
import type { SealedEndpoints } from './sealed-endpoints.js';

type Store = WebhookDeps['endpoints'];

export function endpointStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>, { toEndpoint }: SealedEndpoints): Store {
  return {
    find: async (marketplaceId, id) => {
      const row = await pool.manager.findOneBy(endpoints.entity, { marketplaceId, id, deletedAt: IsNull() });
      return row === null ? undefined : toEndpoint(row);
    },
    list: async (marketplaceId, page) => {
      const list = { ...newestOf({ ...endpoints, table: listed }), scope: [equals('marketplace_id', marketplaceId)] };
      const filters: readonly Condition[] = createdWithin('created_at', page);
      return (await queryPage<EndpointRow>(lists, { ...list, filters }, page))?.map(toEndpoint);
    },
  };
}

const listed = `(select * from ${endpoints.table} where deleted_at is null) as ${endpoints.table}`;
