import { scopes, type Caller } from '@holdfast/shared/context';
import { defaultMarketplaceId } from '@holdfast/shared/ids';
import type { CredentialCache } from './credential-cache.js';
import { isWellFormed, masterKeyCheck, type Credential } from './credential.js';
import type { Identity } from './identity.js';

export type Authentication = {
  /** Whether finding out who this is costs nothing: nobody has to be asked, or it was good not long ago. */
  readonly isFamiliar: (credential: Credential) => boolean;
  /** Whoever calls, or undefined. SERVICE_UNAVAILABLE where nobody can tell. */
  readonly identify: (credential: Credential, requestId: string) => Promise<Caller | undefined>;
};

type Options = { readonly masterKey: string; readonly identity: Pick<Identity, 'whoIs'>; readonly cache: CredentialCache };

const master: Caller = { type: 'master', id: 'master', marketplaceId: defaultMarketplaceId, scopes };

/** The caller of public routes. No internal route is open to it. */
export const anonymous: Caller = { type: 'anonymous', id: 'anonymous', marketplaceId: defaultMarketplaceId, scopes: [] };

export function createAuthentication({ masterKey, identity, cache }: Options): Authentication {
  const isMasterKey = masterKeyCheck(masterKey);
  /** Many requests that bring the same new credential at once ask about it once. */
  const asking = new Map<string, Promise<Caller | undefined>>();

  const ask = async ({ text, digest }: Credential, requestId: string): Promise<Caller | undefined> => {
    const remember = cache.asking(digest);
    const caller = await identity.whoIs(text, requestId);
    if (caller === undefined) cache.drop(digest);
    else remember(caller);
    return caller;
  };

  const askOnce = (credential: Credential, requestId: string): Promise<Caller | undefined> => {
    const { digest } = credential;
    const running = asking.get(digest) ?? ask(credential, requestId).finally(() => asking.delete(digest));
    asking.set(digest, running);
    return running;
  };

  return {
    isFamiliar: (credential) => isMasterKey(credential) || !isWellFormed(credential) || cache.isKnown(credential.digest),
    identify: async (credential, requestId) => {
      if (isMasterKey(credential)) return master;
      if (!isWellFormed(credential)) return undefined;
      return cache.find(credential.digest) ?? askOnce(credential, requestId);
    },
  };
}
