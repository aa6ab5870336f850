import { createdWithin, newestOf, queryPage, type Database } from '@holdfast/postgres';
import type { Marketplace } from '../domain/marketplace.js';
import type { Deps } from '../use-cases/ports.js';
import { marketplaces } from './schema.js';

export function marketplaceStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['marketplaces'] {
  return {
    find: async (id) => (await pool.manager.findOneBy(marketplaces.entity, { id })) ?? undefined,
    list: (page) => {
      const list = { ...newestOf(marketplaces), scope: [], filters: createdWithin('created_at', page) };
      return queryPage<Marketplace>(lists, list, page);
    },
  };
}
