import { scopes, type Caller } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { CredentialCache } from './credential-cache.js';
import { isWellFormed, masterKeyCheck, type Credential } from './credential.js';
import type { Identity } from './identity.js';

export type Authentication = {
  /** Whether `identify` needs no call to identity, or the credential was valid a short while ago. */
  readonly needsNoLookup: (credential: Credential) => boolean;
  /** The caller, or undefined for an unknown credential. SERVICE_UNAVAILABLE if identity does not respond. */
  readonly identify: (credential: Credential, requestId: string) => Promise<Caller | undefined>;
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
  const lookups = new Map<string, Promise<Caller | undefined>>();

  const lookUp = async ({ text, digest }: Credential, requestId: string): Promise<Caller | undefined> => {
    const store = cache.startLookup(digest);
    const caller = await identity.verifyCredential(text, requestId);
    if (caller === undefined) cache.delete(digest);
    else store(caller);
    return caller;
  };

  const lookUpOnce = (credential: Credential, requestId: string): Promise<Caller | undefined> => {
    const { digest } = credential;
    const running = lookups.get(digest) ?? lookUp(credential, requestId).finally(() => lookups.delete(digest));
    lookups.set(digest, running);
    return running;
  };

  return {
    needsNoLookup: (credential) => isMasterKey(credential) || !isWellFormed(credential) || cache.isKnown(credential.digest),
    identify: async (credential, requestId) => {
      if (isMasterKey(credential)) return master;
      if (!isWellFormed(credential)) return undefined;
      return cache.find(credential.digest) ?? lookUpOnce(credential, requestId);
    },
  };
}
