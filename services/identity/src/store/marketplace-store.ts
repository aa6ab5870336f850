import { createdWithin, queryLists, queryPage, selectList, type Database } from '@holdfast/postgres';
import type { Marketplace } from '../domain/marketplace.js';
import type { Deps } from '../use-cases/ports.js';
import { marketplaceColumns, marketplaceSchema } from './schema.js';

export function marketplaceStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['marketplaces'] {
  return {
    find: async (id) => (await pool.manager.findOneBy(marketplaceSchema, { id })) ?? undefined,
    list: (page) => {
      const list = {
        columns: selectList(marketplaceColumns, 'marketplaces'),
        from: 'marketplaces',
        keyset: ['created_at', 'id'],
        idColumn: 'id',
        scope: [],
        filters: createdWithin('created_at', page),
      };
      return queryPage<Marketplace>(queryLists(lists), list, page);
    },
  };
}
