import type { ApiKey } from '../domain/api-key.js';
import type { ApiKeyRow } from './schema.js';

export function toApiKey({ previousSecretHash, previousValidUntil, ...rest }: ApiKeyRow): ApiKey {
  const hasPrevious = previousSecretHash !== null && previousValidUntil !== null;
  return { ...rest, previous: hasPrevious ? { hash: previousSecretHash, validUntil: previousValidUntil } : null };
}

export function toApiKeyRow({ previous, ...rest }: ApiKey): ApiKeyRow {
  return { ...rest, previousSecretHash: previous?.hash ?? null, previousValidUntil: previous?.validUntil ?? null };
}
