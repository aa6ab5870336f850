import { randomUUID } from 'node:crypto';
import { callerSigner } from '@holdfast/http/caller';
import type { Clock } from '@holdfast/kernel/context';
import { createUser } from '@holdfast/contracts/http';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { createServiceClient } from '@holdfast/http/service-client';

/** Two users for the examples of the banner and of the API reference. */
export type DemoUsers = { readonly buyerId: UserId; readonly sellerId: UserId };

export type IdentityAddress = { readonly url: string; readonly internalSecret: string; readonly clock: Clock };

const requestTimeoutMs = 5_000;

/**
 * Creates the demo users, or finds those of an earlier start: creating a user is idempotent by its external id. Identity is called
 * directly, so that the requests count against no rate limit.
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
