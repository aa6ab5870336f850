import { columnTypes } from '@holdfast/shared/postgres';
import { EntitySchema } from 'typeorm';
import type { ApiKey } from '../domain/api-key.js';
import type { Marketplace } from '../domain/marketplace.js';
import type { User } from '../domain/user.js';

const { text, integer, instant } = columnTypes;

export const marketplaceSchema = new EntitySchema<Marketplace>({
  name: 'Marketplace',
  tableName: 'marketplaces',
  columns: {
    id: { type: text, primary: true },
    name: { type: text },
    createdAt: { type: instant, name: 'created_at' },
  },
});

/** A key as its row has it: the previous secret in two columns of its own. */
export type ApiKeyRow = Omit<ApiKey, 'previous'> & {
  readonly previousSecretHash: string | null;
  readonly previousValidUntil: ApiKey['expiresAt'];
};

export const apiKeySchema = new EntitySchema<ApiKeyRow>({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: {
    id: { type: text, primary: true },
    marketplaceId: { type: text, name: 'marketplace_id' },
    name: { type: text },
    scopes: { type: text, array: true },
    secretHash: { type: text, name: 'secret_hash' },
    secretNumber: { type: integer, name: 'secret_number' },
    previousSecretHash: { type: text, name: 'previous_secret_hash', nullable: true },
    previousValidUntil: { type: instant, name: 'previous_valid_until', nullable: true },
    createdAt: { type: instant, name: 'created_at' },
    expiresAt: { type: instant, name: 'expires_at', nullable: true },
    revokedAt: { type: instant, name: 'revoked_at', nullable: true },
    lastUsedAt: { type: instant, name: 'last_used_at', nullable: true },
    version: { type: integer },
  },
});

export const userSchema = new EntitySchema<User>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: text, primary: true },
    marketplaceId: { type: text, name: 'marketplace_id' },
    externalUserId: { type: text, name: 'external_user_id' },
    email: { type: text, nullable: true },
    type: { type: text },
    status: { type: text },
    metadata: { type: 'json' },
    version: { type: integer },
    ledgerAddress: { type: text, name: 'ledger_address', nullable: true },
    ledgerLinkedAt: { type: instant, name: 'ledger_linked_at', nullable: true },
    createdAt: { type: instant, name: 'created_at' },
    updatedAt: { type: instant, name: 'updated_at' },
  },
});
