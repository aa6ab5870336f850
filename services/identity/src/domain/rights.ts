import { scopes as allScopes, type Caller, type Instant, type Scope } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { ApiKeyId } from '@holdfast/kernel/ids';

/** Only the master key may create marketplaces and keys. */
export function requireMaster(caller: Caller): void {
  if (caller.type !== 'master') throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: 'master' });
}

/**
 * Only the master key or the key itself, with any scopes, may change a key. Other callers get 404. A token of the key gets 403,
 * because it could otherwise extend its own lifetime or obtain a key.
 */
export function requireKeyOrMaster(caller: Caller, keyId: ApiKeyId): void {
  if (caller.type === 'master') return;
  if (caller.id !== keyId) throw new AppError('API_KEY_NOT_FOUND', { apiKeyId: keyId });
  if (caller.type !== 'api_key') throw new AppError('INSUFFICIENT_SCOPE', { reason: 'A token is not enough for this.' });
}

/** A previous secret within its overlap must not create a secret that lasts longer. */
export function requireCurrentSecret(caller: Caller, keyExpiresAt: Instant | null): void {
  if (caller.expiresAt === undefined || caller.expiresAt === keyExpiresAt) return;
  throw new AppError('INSUFFICIENT_SCOPE', { reason: 'This is not the current secret of the key.' });
}

export function requireSupport(caller: Caller): void {
  if (!caller.scopes.includes('support')) throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: 'support' });
}

/** Returns each scope once, in the order of the declaration; `*` stands for all scopes. */
export function expandScopes(given: readonly (Scope | '*')[]): readonly Scope[] {
  return allScopes.filter((scope) => given.includes('*') || given.includes(scope));
}

/** Privilege escalation check: the wanted scopes must be a subset of the own ones. */
export function requireSubset(wanted: readonly Scope[], ownScopes: readonly Scope[]): void {
  const missingScopes = wanted.filter((scope) => !ownScopes.includes(scope));
  if (missingScopes.length > 0) throw new AppError('INSUFFICIENT_SCOPE', { missingScopes });
}
