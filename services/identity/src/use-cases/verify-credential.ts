import type { Context, Instant, Scope } from '@holdfast/kernel/context';
import { defaultMarketplaceId, type ApiKeyId, type MarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { earliest, secretExpiresAt, statusOf, type ApiKey } from '../domain/api-key.js';
import { keyIdIn } from '../domain/key-text.js';
import type { Deps } from './ports.js';

export type VerifiedCredential = (
  { readonly type: 'api_key' | 'token'; readonly id: ApiKeyId } | { readonly type: 'account'; readonly id: UserId }
) & {
  readonly marketplaceId: MarketplaceId;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Instant | null;
};

/** Why a credential is refused. A credential whose secret is wrong is `unknown`, whatever the state of its key. */
export type RefusedCredential = 'unknown' | 'revoked' | 'expired';

export type Verification = { readonly verified: VerifiedCredential } | { readonly refused: RefusedCredential };

/** The caller behind a credential, or why there is none. */
export async function verifyCredential(
  deps: Deps,
  { credential }: { readonly credential: string },
  ctx: Context,
): Promise<Verification> {
  const keyId = keyIdIn(credential);
  const result = await (keyId === undefined ? verifyToken(deps, credential, ctx) : verifyKey(deps, keyId, credential, ctx));
  if ('verified' in result && result.verified.type !== 'account') deps.apiKeys.recordUse(result.verified.id, ctx.at);
  return result;
}

/** An unknown id takes the same comparisons as a known one, so that the response time does not reveal which ids exist. */
const unknownKey = { secretHash: '0'.repeat(64), previous: null };

async function verifyKey(deps: Deps, keyId: ApiKeyId, text: string, { at }: Context): Promise<Verification> {
  const key = await deps.apiKeys.find(keyId);
  const hash = deps.secrets.hash(text);
  const { secretHash, previous } = key ?? unknownKey;
  const isCurrent = deps.secrets.isEqual(hash, secretHash);
  const isPrevious = deps.secrets.isEqual(hash, previous?.hash ?? unknownKey.secretHash);
  if (key === undefined || !(isCurrent || isPrevious)) return { refused: 'unknown' };
  const end = secretExpiresAt(key, isCurrent ? key.secretNumber : key.secretNumber - 1, at);
  if (end === undefined) return { refused: reasonOf(key, at) };
  return { verified: { ...rightsOf(key, key.scopes), type: 'api_key', expiresAt: end } };
}

/** A token is valid while the secret it was issued with is valid, and has only scopes that its key still has. See ADR 0008. */
async function verifyToken(deps: Deps, text: string, { at }: Context): Promise<Verification> {
  const claims = deps.tokens.verify(text);
  if (claims === undefined) return verifyLoginToken(deps, text, at);
  const key = await deps.apiKeys.find(claims.apiKeyId);
  if (key === undefined) return { refused: 'unknown' };
  const end = secretExpiresAt(key, claims.secretNumber, at);
  if (end === undefined || claims.expiresAt <= at) return { refused: reasonOf(key, at) };
  const scopes = claims.scopes.filter((scope) => key.scopes.includes(scope));
  return { verified: { ...rightsOf(key, scopes), type: 'token', expiresAt: earliest(end, claims.expiresAt) } };
}

/** The token of a person, who is a user of the default marketplace and has no scopes. It stays valid when the user is suspended. */
async function verifyLoginToken(deps: Deps, text: string, at: Instant): Promise<Verification> {
  const claims = deps.loginTokens.verify(text);
  if (claims === undefined) return { refused: 'unknown' };
  const { userId, expiresAt } = claims;
  if (expiresAt <= at) return { refused: 'expired' };
  if ((await deps.logins.findByUser(userId)) === undefined) return { refused: 'unknown' };
  return { verified: { type: 'account', id: userId, marketplaceId: defaultMarketplaceId, scopes: [], expiresAt } };
}

/** A secret that was replaced and a token past its time count as expired. */
function reasonOf(key: ApiKey, at: Instant): RefusedCredential {
  return statusOf(key, at) === 'REVOKED' ? 'revoked' : 'expired';
}

function rightsOf({ id, marketplaceId }: ApiKey, scopes: readonly Scope[]) {
  return { id, marketplaceId, scopes };
}
