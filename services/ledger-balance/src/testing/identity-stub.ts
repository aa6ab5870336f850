import type { Clock } from '@holdfast/kernel/context';
import { findUser, type FoundUser } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { handle } from '@holdfast/http/server';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { startStubService } from '@holdfast/testing/services';

export type IdentityStub = {
  readonly url: string;
  /** Adds a user that the ledger does not know yet. */
  readonly addUser: (userId: UserId, facts?: Partial<FoundUser>) => void;
  /** While it is down every request fails. */
  readonly setDown: (isDown: boolean) => void;
  /** The number of requests for a user. */
  readonly requestCount: (userId: UserId) => number;
  readonly stop: () => Promise<void>;
};

/** Serves the internal route of identity that the ledger calls. */
export async function startIdentityStub(secret: string, clock: Clock): Promise<IdentityStub> {
  const users = new Map<string, FoundUser>();
  const requestedIds: string[] = [];
  let isDown = false;
  const find = handle(findUser, async ({ params: { id } }, { caller }) => {
    requestedIds.push(id);
    if (isDown) throw new AppError('SERVICE_UNAVAILABLE');
    const user = users.get(id);
    if (user?.marketplaceId !== caller.marketplaceId) throw new AppError('USER_NOT_FOUND');
    return user;
  });
  const { url, stop } = await startStubService({ service: 'identity', secret, clock, routes: [find] });
  return {
    url,
    stop,
    addUser: (id, facts = {}) => {
      users.set(id, { id, marketplaceId: defaultMarketplaceId, type: 'BOTH', status: 'ACTIVE', version: 1, ...facts });
    },
    setDown: (wanted) => void (isDown = wanted),
    requestCount: (userId) => requestedIds.filter((id) => id === userId).length,
  };
}
