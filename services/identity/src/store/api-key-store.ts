import { toAppError, type Database } from '@holdfast/shared/postgres';
import type { Deps } from '../use-cases/ports.js';
import { toApiKey } from './api-key-rows.js';
import { pageOfRows } from './rows.js';
import { apiKeySchema, type ApiKeyRow } from './schema.js';
import { listStatement } from './sql/list.js';

const listKeys = listStatement({
  table: 'api_keys',
  columns: `id, marketplace_id as "marketplaceId", name, scopes, secret_hash as "secretHash", secret_number as "secretNumber",
    previous_secret_hash as "previousSecretHash", previous_valid_until as "previousValidUntil", created_at as "createdAt",
    expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt", version`,
  filters: ['($1::text is null or marketplace_id = $1)'],
});

const findCursor = `
  select created_at
  from api_keys
  where ($1::text is null or marketplace_id = $1)
    and id = $2`;

export function apiKeyStore(database: Database): Pick<Deps['apiKeys'], 'find' | 'list'> {
  const keys = database.pool.manager.getRepository(apiKeySchema);
  return {
    find: async (id) => {
      const row = await keys.findOneBy({ id }).catch((error: unknown) => {
        throw toAppError(error);
      });
      return row === null ? undefined : toApiKey(row);
    },
    list: async (marketplaceId, filter) => {
      const filters = [marketplaceId ?? null];
      const paging = { list: listKeys, filters, cursor: findCursor, cursorFilters: filters };
      return (await pageOfRows<ApiKeyRow>(database, paging, filter))?.map(toApiKey);
    },
  };
}
