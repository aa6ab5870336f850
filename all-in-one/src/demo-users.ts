import { randomUUID } from 'node:crypto';
import { callerSigner } from '@holdfast/http/caller';
import { createServiceClient, type CallContext, type ServiceClient } from '@holdfast/http/service-client';
import { createUser, linkPaymentAccount } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import type { Clock, Log } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import type { ServiceAddresses } from './service-addresses.js';

/** Two users for the examples of the banner and of the API reference. */
export type DemoUsers = { readonly buyerId: UserId; readonly sellerId: UserId };

export type DemoUsersOptions = {
  readonly addresses: Pick<ServiceAddresses, 'of'>;
  readonly internalSecret: string;
  /** Whether the sandbox simulates the payment provider. A real one does not know the demo users. */
  readonly hasSandbox: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

const requestTimeoutMs = 5_000;

/** The reference links the buyer to the same address in its example, which returns this link. */
const demo = {
  buyer: { externalUserId: 'demo-buyer', type: 'BUYER', email: 'ada@example.com' },
  seller: { externalUserId: 'demo-seller', type: 'SELLER', email: 'grace@example.com' },
} as const;

/**
 * Creates the demo users with a linked payment account each. After an earlier start it finds them, because creating a user is idempotent by
 * its external id. The services are called directly, so that the requests count against no rate limit.
 */
export async function createDemoUsers(options: DemoUsersOptions): Promise<DemoUsers> {
  const [identity, payments] = [clientOf(options, 'identity'), clientOf(options, 'payments')];
  const create = async (user: (typeof demo)[keyof typeof demo]): Promise<UserId> => {
    const { id } = await identity.call(createUser, { body: user }, newContext());
    if (options.hasSandbox) await link(payments, { id, email: user.email }, options.log);
    return id;
  };
  const [buyerId, sellerId] = await Promise.all([create(demo.buyer), create(demo.seller)]);
  await Promise.all([identity.close(), payments.close()]);
  return { buyerId, sellerId };
}

function clientOf({ addresses, internalSecret: secret, clock }: DemoUsersOptions, to: ServiceName): ServiceClient {
  const signer = callerSigner({ secret, clock });
  return createServiceClient({ from: 'all-in-one', to, baseUrl: addresses.of(to).url, signer, timeoutMs: requestTimeoutMs });
}

function newContext(): CallContext {
  return { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
}

type Linked = { readonly id: UserId; readonly email: string };

/** INVALID_STATE: a person has linked another account. The sandbox may have an injected fault; the start then continues without the link. */
async function link(payments: ServiceClient, { id, email }: Linked, log: Log): Promise<void> {
  try {
    await payments.call(linkPaymentAccount, { params: { id }, body: { email } }, newContext());
  } catch (error) {
    if (!isAppError(error, 'INVALID_STATE')) log.warn({ userId: id, error }, 'a demo user has no linked payment account');
  }
}
