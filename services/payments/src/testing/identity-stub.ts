import { findUser, verifyCredential, type FoundUser } from '@holdfast/contracts/http';
import { handle } from '@holdfast/http/server';
import { scopes, type Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, idFactory, type ApiKeyId } from '@holdfast/kernel/ids';
import { startStubService } from '@holdfast/testing/services';

export type IdentityStub = {
  readonly url: string;
  readonly addUser: (user: FoundUser) => void;
  readonly stop: () => Promise<void>;
};

/** Serves the internal routes of identity that payments calls. A credential is the name of a key and its scope. */
export async function startIdentityStub(secret: string, clock: Clock): Promise<IdentityStub> {
  const users = new Map<string, FoundUser>();
  const newId = idFactory(clock.epochMs);
  const keys = new Map<string, ApiKeyId>();
  const find = handle(findUser, async ({ params: { id } }, { caller }) => {
    const user = users.get(id);
    if (user?.marketplaceId !== caller.marketplaceId) throw new AppError('USER_NOT_FOUND');
    return user;
  });
  const verify = handle(verifyCredential, ({ body: { credential } }) => {
    const [name = '', given] = credential.split(' ');
    const granted = scopes.filter((scope) => scope === given);
    if (granted.length === 0) return Promise.resolve({ refused: 'unknown' });
    const id = keys.get(name) ?? newId('key');
    keys.set(name, id);
    const verified = { type: 'api_key', id, marketplaceId: defaultMarketplaceId, scopes: granted, expiresAt: null } as const;
    return Promise.resolve({ verified });
  });
  const { url, stop } = await startStubService({ service: 'identity', secret, clock, routes: [find, verify] });
  return { url, stop, addUser: (user) => void users.set(user.id, user) };
}
