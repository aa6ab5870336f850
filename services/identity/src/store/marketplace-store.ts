import { toAppError, type Database } from '@holdfast/shared/postgres';
import type { Marketplace } from '../domain/marketplace.js';
import type { Deps } from '../use-cases/ports.js';
import { pageOfRows } from './rows.js';
import { marketplaceSchema } from './schema.js';
import { listStatement } from './sql/list.js';

const listMarketplaces = listStatement({ table: 'marketplaces', columns: 'id, name, created_at as "createdAt"', filters: [] });

const findCursor = `
  select created_at
  from marketplaces
  where id = $1`;

export function marketplaceStore(database: Database): Deps['marketplaces'] {
  const marketplaces = database.pool.manager.getRepository(marketplaceSchema);
  return {
    find: async (id) => {
      const found = await marketplaces.findOneBy({ id }).catch((error: unknown) => {
        throw toAppError(error);
      });
      return found ?? undefined;
    },
    list: (filter) =>
      pageOfRows<Marketplace>(database, { list: listMarketplaces, filters: [], cursor: findCursor, cursorFilters: [] }, filter),
  };
}
