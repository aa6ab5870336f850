import { randomUUID } from 'node:crypto';
import { callerSigner } from '@holdfast/http/caller';
import type { Clock } from '@holdfast/kernel/context';
import { createUser } from '@holdfast/contracts/http';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { createServiceClient } from '@holdfast/http/service-client';

/** Two users to try everything with. */
export type DemoUsers = { readonly buyerId: UserId; readonly sellerId: UserId };

export type IdentityAddress = { readonly url: string; readonly internalSecret: string; readonly clock: Clock };

const requestTimeoutMs = 5_000;

/**
 * Makes the demo users, or finds those of an earlier start: the same external id is always the same user. Identity is asked
 * directly, so that nothing counts against anybody's limit.
 */
export async function createDemoUsers({ url, internalSecret, clock }: IdentityAddress): Promise<DemoUsers> {
  const signer = callerSigner({ secret: internalSecret, clock });
  const identity = createServiceClient({ from: 'all-in-one', to: 'identity', baseUrl: url, signer, timeoutMs: requestTimeoutMs });
  const create = async (role: 'buyer' | 'seller', type: 'BUYER' | 'SELLER'): Promise<UserId> => {
    const input = { body: { externalUserId: `demo-${role}`, type } };
    const { id } = await identity.call(createUser, input, { requestId: randomUUID(), marketplaceId: defaultMarketplaceId });
    return id;
  };
  const buyerId = await create('buyer', 'BUYER');
  const sellerId = await create('seller', 'SELLER');
  await identity.close();
  return { buyerId, sellerId };
}
