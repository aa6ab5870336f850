import { hash, timingSafeEqual } from 'node:crypto';
import { scopes, type Caller } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { CredentialCache } from './credential-cache.js';
import type { Identity, Verification } from './identity.js';

/** Cached and compared by digest: digests have equal length, and a leaked digest is of no use. */
export type Credential = { readonly text: string; readonly digest: string };

export function credentialOf(text: string): Credential {
  return { text, digest: hash('sha256', text, 'base64') };
}

export type Authentication = {
  /** Whether `identify` needs no call to identity, or the credential was valid a short while ago. */
  readonly needsNoLookup: (credential: Credential) => boolean;
  /** The caller, or why the credential is refused. SERVICE_UNAVAILABLE if identity does not respond. */
  readonly identify: (credential: Credential, requestId: string) => Promise<Verification>;
};

type Options = {
  readonly masterKey: string;
  readonly identity: Pick<Identity, 'verifyCredential'>;
  readonly cache: CredentialCache;
};

const master: Caller = { type: 'master', id: 'master', marketplaceId: defaultMarketplaceId, scopes };

/** The caller of public routes. Services refuse it on internal routes. */
export const anonymous: Caller = { type: 'anonymous', id: 'anonymous', marketplaceId: defaultMarketplaceId, scopes: [] };

export function createAuthentication({ masterKey, identity, cache }: Options): Authentication {
  const isMasterKey = masterKeyCheck(masterKey);
  /** Lookups in flight by digest: concurrent requests with the same credential share one. */
  const lookups = new Map<string, Promise<Verification>>();

  const lookUp = async ({ text, digest }: Credential, requestId: string): Promise<Verification> => {
    const store = cache.startLookup(digest);
    const verification = await identity.verifyCredential(text, requestId);
    if ('caller' in verification) store(verification.caller);
    else cache.delete(digest);
    return verification;
  };

  const lookUpOnce = (credential: Credential, requestId: string): Promise<Verification> => {
    const { digest } = credential;
    const running = lookups.get(digest) ?? lookUp(credential, requestId).finally(() => lookups.delete(digest));
    lookups.set(digest, running);
    return running;
  };

  return {
    needsNoLookup: (credential) => isMasterKey(credential) || !isWellFormed(credential) || cache.isKnown(credential.digest),
    identify: async (credential, requestId) => {
      if (isMasterKey(credential)) return { caller: master };
      // A wrong master key, or an API key with a character too many: it cannot exist, so that no lookup is needed.
      if (!isWellFormed(credential)) return { refused: 'unknown' };
      const caller = cache.find(credential.digest);
      return caller === undefined ? lookUpOnce(credential, requestId) : { caller };
    },
  };
}

/** Compares in constant time. */
function masterKeyCheck(masterKey: string): (credential: Credential) => boolean {
  const masterDigest = Buffer.from(credentialOf(masterKey).digest);
  return ({ digest }) => timingSafeEqual(Buffer.from(digest), masterDigest);
}

const apiKeyForm = /^hk_live_[0-9A-Za-z]{1,64}_[\w-]{43}$/;
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether the text has the form of an API key or a token. Anything else is refused without a lookup. */
function isWellFormed({ text }: Credential): boolean {
  return apiKeyForm.test(text) || tokenForm.test(text);
}
