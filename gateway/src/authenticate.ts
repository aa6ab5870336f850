import { scopes, type Caller } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import { defaultMarketplaceId, isId } from '@holdfast/shared/ids';
import type { CredentialCache } from './credential-cache.js';
import { isWellFormed, masterKeyCheck, type Credential } from './credential.js';
import type { Identity } from './identity.js';

export type Authentication = {
  /** Whether finding out who this is costs nothing: nobody has to be asked, or it was good not long ago. */
  readonly isFamiliar: (credential: Credential) => boolean;
  /** Whoever calls, or undefined. SERVICE_UNAVAILABLE where nobody can tell. */
  readonly identify: (credential: Credential, asked: Asked) => Promise<Caller | undefined>;
};

export type Asked = {
  readonly requestId: string;
  /** The value of X-Marketplace-ID. */
  readonly actsFor: string | undefined;
};

type Options = { readonly masterKey: string; readonly identity: Identity; readonly cache: CredentialCache };

const master: Caller = { type: 'master', id: 'master', marketplaceId: defaultMarketplaceId, scopes };

/** Callers of public routes. */
export const anonymous: Caller = { type: 'system', id: 'anonymous', marketplaceId: defaultMarketplaceId, scopes: [] };

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
    identify: async (credential, { requestId, actsFor }) => {
      if (isMasterKey(credential)) return actingFor(identity, actsFor, requestId);
      if (!isWellFormed(credential)) return undefined;
      const caller = cache.find(credential.digest) ?? (await askOnce(credential, requestId));
      if (caller !== undefined && actsFor !== undefined) throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: 'master' });
      return caller;
    },
  };
}

/** The master key belongs to the default marketplace and may act for any other. */
async function actingFor(identity: Identity, actsFor: string | undefined, requestId: string): Promise<Caller> {
  if (actsFor === undefined || actsFor === defaultMarketplaceId) return master;
  if (!isId(actsFor, 'mkt')) throw new AppError('MARKETPLACE_NOT_FOUND');
  return { ...master, marketplaceId: await identity.marketplaceOf(actsFor, requestId) };
}
