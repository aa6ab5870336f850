import { scopes as allScopes, type Caller, type Instant, type Scope } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { ApiKeyId } from '@holdfast/kernel/ids';

/** Marketplaces and keys are made with the master key only. */
export function requireMaster(caller: Caller): void {
  if (caller.type !== 'master') throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: 'master' });
}

/**
 * What is done to a key is done by the master key or by the key itself, whatever its scopes. For everybody else it does not
 * exist. A token knows of its key, but it is not the key: it could prolong itself, or make itself a key.
 */
export function requireKeyOrMaster(caller: Caller, keyId: ApiKeyId): void {
  if (caller.type === 'master') return;
  if (caller.id !== keyId) throw new AppError('API_KEY_NOT_FOUND', { apiKeyId: keyId });
  if (caller.type !== 'api_key') throw new AppError('INSUFFICIENT_SCOPE', { reason: 'A token is not enough for this.' });
}

/** A secret that is about to end makes no secret that does not. */
export function requireCurrentSecret(caller: Caller, keyExpiresAt: Instant | null): void {
  if (caller.expiresAt === undefined || caller.expiresAt === keyExpiresAt) return;
  throw new AppError('INSUFFICIENT_SCOPE', { reason: 'This is not the current secret of the key.' });
}

export function requireSupport(caller: Caller): void {
  if (!caller.scopes.includes('support')) throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: 'support' });
}

/** Each scope once, in the usual order; `*` stands for all of them. */
export function expandScopes(given: readonly (Scope | '*')[]): readonly Scope[] {
  return allScopes.filter((scope) => given.includes('*') || given.includes(scope));
}

/** Nobody makes rights they do not have. */
export function requireSubset(wanted: readonly Scope[], ownScopes: readonly Scope[]): void {
  const missingScopes = wanted.filter((scope) => !ownScopes.includes(scope));
  if (missingScopes.length > 0) throw new AppError('INSUFFICIENT_SCOPE', { missingScopes });
}
