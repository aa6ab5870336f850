import type { Instant } from '@holdfast/kernel/context';
import { tableOf, insertMany } from '@holdfast/postgres';
import type { Login } from '../domain/login.js';
import type { ApiKey } from '../domain/api-key.js';
import type { EmergencyStop } from '../domain/emergency-stop.js';
import type { Marketplace } from '../domain/marketplace.js';
import type { User } from '../domain/user.js';
import type { AttemptCount } from '../use-cases/login-ports.js';
import type { RefusalCount } from '../use-cases/ports.js';

/** A row of `api_keys`, with the previous secret in two columns. */
export type ApiKeyRow = Omit<ApiKey, 'previous'> & {
  readonly previousSecretHash: string | null;
  readonly previousValidUntil: Instant | null;
};

type LoginAttemptsRow = AttemptCount & { readonly subject: string };

export type RefusedCredentialsRow = RefusalCount & { readonly gatewayId: string };

export const marketplaces = tableOf<Marketplace>('marketplaces')({
  id: { column: 'id', type: 'text', isPrimary: true },
  name: { column: 'name', type: 'text' },
  disputeResponsePeriod: { column: 'dispute_response_period', type: 'text' },
  disputeDecisionPeriod: { column: 'dispute_decision_period', type: 'text' },
  onNoResponse: { column: 'on_no_response', type: 'text' },
  clockOffsetSeconds: { column: 'clock_offset_seconds', type: 'integer' },
  version: { column: 'version', type: 'integer' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

export const apiKeys = tableOf<ApiKeyRow>('api_keys')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  name: { column: 'name', type: 'text' },
  scopes: { column: 'scopes', type: 'text[]' },
  secretHash: { column: 'secret_hash', type: 'text' },
  secretNumber: { column: 'secret_number', type: 'integer' },
  previousSecretHash: { column: 'previous_secret_hash', type: 'text' },
  previousValidUntil: { column: 'previous_valid_until', type: 'timestamptz' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  expiresAt: { column: 'expires_at', type: 'timestamptz' },
  revokedAt: { column: 'revoked_at', type: 'timestamptz' },
  lastUsedAt: { column: 'last_used_at', type: 'timestamptz' },
  version: { column: 'version', type: 'integer' },
});

export const users = tableOf<User>('users')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  externalUserId: { column: 'external_user_id', type: 'text' },
  email: { column: 'email', type: 'text' },
  type: { column: 'type', type: 'text' },
  status: { column: 'status', type: 'text' },
  metadata: { column: 'metadata', type: 'json' },
  version: { column: 'version', type: 'integer' },
  ledgerAddress: { column: 'ledger_address', type: 'text' },
  ledgerLinkedAt: { column: 'ledger_linked_at', type: 'timestamptz' },
  paymentAccountUserId: { column: 'payment_account_user_id', type: 'text' },
  paymentAccountLinkedAt: { column: 'payment_account_linked_at', type: 'timestamptz' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
});

const refusedCredentials = tableOf<RefusedCredentialsRow>('refused_credentials')({
  minute: { column: 'minute', type: 'timestamptz', isPrimary: true },
  address: { column: 'address', type: 'text', isPrimary: true },
  gatewayId: { column: 'gateway_id', type: 'uuid', isPrimary: true },
  count: { column: 'count', type: 'integer' },
});

/**
 * A concurrent insert of the same external id waits until this transaction has ended, and then inserts no row. So of any number
 * of concurrent requests exactly one creates the user.
 */
export const insertUsers = insertMany({
  ...users,
  name: 'insert-users',
  suffix: 'on conflict (marketplace_id, external_user_id) do nothing returning id',
});

/**
 * A gateway reports the total of a minute each time, so the highest count wins. Rows are written in one order, by minute and
 * address, so that concurrent reports cannot deadlock.
 */
export const upsertRefusedCredentials = insertMany({
  ...refusedCredentials,
  name: 'upsert-refused-credentials',
  suffix: `order by 1, 2
  on conflict (minute, address, gateway_id) do update
  set count = greatest(refused_credentials.count, excluded.count)`,
});

export const logins = tableOf<Login>('logins')({
  userId: { column: 'user_id', type: 'text', isPrimary: true },
  email: { column: 'email', type: 'text' },
  name: { column: 'name', type: 'text' },
  passwordHash: { column: 'password_hash', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

/** Of concurrent registrations with one address exactly one inserts a row. */
export const insertLogins = insertMany({
  ...logins,
  name: 'insert-logins',
  suffix: 'on conflict (email) do nothing returning user_id',
});

export const loginAttemptCounts = tableOf<LoginAttemptsRow>('login_attempts')({
  subject: { column: 'subject', type: 'text', isPrimary: true },
  count: { column: 'count', type: 'integer' },
  windowEndsAt: { column: 'window_ends_at', type: 'timestamptz' },
});

type EmergencyStopRow = EmergencyStop & { readonly isOnlyRow: boolean };

export const emergencyStop = tableOf<EmergencyStopRow>('emergency_stop')({
  isOnlyRow: { column: 'is_only_row', type: 'boolean', isPrimary: true },
  isStopped: { column: 'is_stopped', type: 'boolean' },
  version: { column: 'version', type: 'integer' },
  changedAt: { column: 'changed_at', type: 'timestamptz' },
  changedBy: { column: 'changed_by', type: 'text' },
  reason: { column: 'reason', type: 'text' },
});

export const entities = [marketplaces, apiKeys, users, refusedCredentials, logins, loginAttemptCounts, emergencyStop].map(
  ({ entity }) => entity,
);
