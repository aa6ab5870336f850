import { createdWithin, equals, newestOf, queryPage, type Database } from '@holdfast/postgres';
import type { ApiKey } from '../domain/api-key.js';
import type { Deps } from '../use-cases/ports.js';
import { apiKeys, type ApiKeyRow } from './schema.js';

export function apiKeyStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Pick<Deps['apiKeys'], 'find' | 'list'> {
  return {
    find: async (id) => {
      const row = await pool.manager.findOneBy(apiKeys.entity, { id });
      return row === null ? undefined : toApiKey(row);
    },
    list: async (marketplaceId, page) => {
      const scope = [equals('marketplace_id', marketplaceId)];
      const list = { ...newestOf(apiKeys), scope, filters: createdWithin('created_at', page) };
      return (await queryPage<ApiKeyRow>(lists, list, page))?.map(toApiKey);
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
