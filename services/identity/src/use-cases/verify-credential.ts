import type { Context, Instant, Scope } from '@holdfast/kernel/context';
import type { ApiKeyId, MarketplaceId } from '@holdfast/kernel/ids';
import { earliest, secretExpiresAt, type ApiKey } from '../domain/api-key.js';
import { keyIdIn } from '../domain/key-text.js';
import type { Deps } from './ports.js';

export type VerifiedCredential = {
  readonly type: 'api_key' | 'token';
  readonly id: ApiKeyId;
  readonly marketplaceId: MarketplaceId;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Instant | null;
};

/** The caller behind a credential, or null. The reason of a refusal is not returned. */
export async function verifyCredential(
  deps: Deps,
  { credential }: { readonly credential: string },
  ctx: Context,
): Promise<VerifiedCredential | null> {
  const keyId = keyIdIn(credential);
  const verified = await (keyId === undefined ? verifyToken(deps, credential, ctx) : verifyKey(deps, keyId, credential, ctx));
  if (verified !== null) deps.apiKeys.recordUse(verified.id, ctx.at);
  return verified;
}

/** An unknown id takes the same comparisons as a known one, so that the response time does not reveal which ids exist. */
const unknownKey = { secretHash: '0'.repeat(64), previous: null };

async function verifyKey(deps: Deps, keyId: ApiKeyId, text: string, { at }: Context): Promise<VerifiedCredential | null> {
  const key = await deps.apiKeys.find(keyId);
  const hash = deps.secrets.hash(text);
  const { secretHash, previous } = key ?? unknownKey;
  const isCurrent = deps.secrets.isEqual(hash, secretHash);
  const isPrevious = deps.secrets.isEqual(hash, previous?.hash ?? unknownKey.secretHash);
  if (key === undefined || !(isCurrent || isPrevious)) return null;
  const end = secretExpiresAt(key, isCurrent ? key.secretNumber : key.secretNumber - 1, at);
  return end === undefined ? null : { ...rightsOf(key, key.scopes), type: 'api_key', expiresAt: end };
}

/** A token is valid while the secret it was issued with is valid, and has only scopes that its key still has. */
async function verifyToken(deps: Deps, text: string, { at }: Context): Promise<VerifiedCredential | null> {
  const claims = deps.tokens.verify(text);
  if (claims === undefined || claims.expiresAt <= at) return null;
  const key = await deps.apiKeys.find(claims.apiKeyId);
  const end = key === undefined ? undefined : secretExpiresAt(key, claims.secretNumber, at);
  if (key === undefined || end === undefined) return null;
  const scopes = claims.scopes.filter((scope) => key.scopes.includes(scope));
  return { ...rightsOf(key, scopes), type: 'token', expiresAt: earliest(end, claims.expiresAt) };
}

function rightsOf({ id, marketplaceId }: ApiKey, scopes: readonly Scope[]) {
  return { id, marketplaceId, scopes };
}
