import { createdWithin, equals, queryLists, queryPage, selectList, type Database } from '@holdfast/postgres';
import type { ApiKey } from '../domain/api-key.js';
import type { Deps } from '../use-cases/ports.js';
import { apiKeyColumns, apiKeySchema, type ApiKeyRow } from './schema.js';

export function apiKeyStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Pick<Deps['apiKeys'], 'find' | 'list'> {
  return {
    find: async (id) => {
      const row = await pool.manager.findOneBy(apiKeySchema, { id });
      return row === null ? undefined : toApiKey(row);
    },
    list: async (marketplaceId, page) => {
      const list = {
        columns: selectList(apiKeyColumns, 'api_keys'),
        from: 'api_keys',
        keyset: ['created_at', 'id'],
        idColumn: 'id',
        scope: [equals('marketplace_id', marketplaceId)],
        filters: createdWithin('created_at', page),
      };
      return (await queryPage<ApiKeyRow>(queryLists(lists), list, page))?.map(toApiKey);
    },
  };
}

export function toApiKey({ previousSecretHash, previousValidUntil, ...rest }: ApiKeyRow): ApiKey {
  const hasPrevious = previousSecretHash !== null && previousValidUntil !== null;
  return { ...rest, previous: hasPrevious ? { hash: previousSecretHash, validUntil: previousValidUntil } : null };
}

export function toApiKeyRow({ previous, ...rest }: ApiKey): ApiKeyRow {
  return { ...rest, previousSecretHash: previous?.hash ?? null, previousValidUntil: previous?.validUntil ?? null };
}
