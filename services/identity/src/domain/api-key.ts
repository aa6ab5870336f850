import { toEpochMs, toInstant, type Instant, type Scope } from '@holdfast/kernel/context';
import type { ApiKeyId, MarketplaceId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { apiKeyMoves, type ApiKeyStatus } from './api-key-states.js';

/** The previous secret, which stays valid for the overlap after a rotation. */
export type PreviousSecret = { readonly hash: string; readonly validUntil: Instant };

export type ApiKey = {
  readonly id: ApiKeyId;
  readonly marketplaceId: MarketplaceId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly secretHash: string;
  /** Counts the secrets of the key; the current secret has this number. */
  readonly secretNumber: number;
  readonly previous: PreviousSecret | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly version: number;
};

export type NewApiKey = Pick<ApiKey, 'id' | 'marketplaceId' | 'name' | 'scopes' | 'secretHash' | 'expiresAt'>;

export function newApiKey(given: NewApiKey, at: Instant): ApiKey {
  return { ...given, secretNumber: 1, previous: null, createdAt: at, revokedAt: null, lastUsedAt: null, version: 1 };
}

export function statusOf({ revokedAt, expiresAt }: ApiKey, at: Instant): ApiKeyStatus {
  if (revokedAt !== null) return 'REVOKED';
  return expiresAt !== null && expiresAt <= at ? 'EXPIRED' : 'ACTIVE';
}

export function rotate(key: ApiKey, secretHash: string, overlapSeconds: number, at: Instant): ApiKey {
  moved(apiKeyMoves, 'rotate', statusOf(key, at));
  const validUntil = toInstant(toEpochMs(at) + overlapSeconds * 1_000);
  return {
    ...key,
    secretHash,
    secretNumber: key.secretNumber + 1,
    previous: overlapSeconds === 0 ? null : { hash: key.secretHash, validUntil },
    version: key.version + 1,
  };
}

/** Returns the same object for a key that is revoked already. */
export function revoke(key: ApiKey, at: Instant): ApiKey {
  if (key.revokedAt !== null) return key;
  moved(apiKeyMoves, 'revoke', statusOf(key, at));
  return { ...key, previous: null, revokedAt: at, version: key.version + 1 };
}

/** When the secret with this number expires: null for never, undefined where it is not valid at `at`. */
export function secretExpiresAt(key: ApiKey, secretNumber: number, at: Instant): Instant | null | undefined {
  if (statusOf(key, at) !== 'ACTIVE') return undefined;
  if (secretNumber === key.secretNumber) return key.expiresAt;
  if (key.previous === null || secretNumber !== key.secretNumber - 1 || key.previous.validUntil <= at) return undefined;
  return earliest(key.expiresAt, key.previous.validUntil);
}

/** The earliest of several expiry times, where null means never. */
export function earliest(...ends: readonly (Instant | null)[]): Instant | null {
  const [first] = ends.filter((end) => end !== null).sort();
  return first ?? null;
}
