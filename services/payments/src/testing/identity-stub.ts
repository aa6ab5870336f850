import { findUser, type FoundUser } from '@holdfast/contracts/http';
import { handle } from '@holdfast/http/server';
import type { Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { startStubService } from '@holdfast/testing/services';

export type IdentityStub = {
  readonly url: string;
  readonly addUser: (user: FoundUser) => void;
  readonly stop: () => Promise<void>;
};

/** Serves the internal route of identity that payments calls. */
export async function startIdentityStub(secret: string, clock: Clock): Promise<IdentityStub> {
  const users = new Map<string, FoundUser>();
  const find = handle(findUser, async ({ params: { id } }, { caller }) => {
    const user = users.get(id);
    if (user?.marketplaceId !== caller.marketplaceId) throw new AppError('USER_NOT_FOUND');
    return user;
  });
  const { url, stop } = await startStubService({ service: 'identity', secret, clock, routes: [find] });
  return { url, stop, addUser: (user) => void users.set(user.id, user) };
}
