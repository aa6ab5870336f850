import { retry } from '@holdfast/kernel/async';
import type { Context } from '@holdfast/kernel/context';
import type {
  getUserVersionInAdapter,
  getUserVersionInLedger,
  getUserVersionInOrders,
  getUserVersionInPayments,
} from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import type { User } from '../domain/user.js';
import type { Deps } from '../use-cases/ports.js';

/** A service that consumes user messages, and its route that returns the version of a user it has consumed. */
export type UserConsumer = {
  readonly client: ServiceClient;
  readonly route:
    | typeof getUserVersionInLedger
    | typeof getUserVersionInOrders
    | typeof getUserVersionInAdapter
    | typeof getUserVersionInPayments;
};

/** Maximum time that a request waits for the consumers. */
const propagationTimeoutMs = 2_000;
const pollBackoff = { firstDelayMs: 5, delayMsMax: 100 };

/** Polls every consumer until it has consumed this version of the user, or the time is up. */
export function userPropagation(
  consumers: readonly UserConsumer[],
  timeoutMs = propagationTimeoutMs,
): Deps['users']['whenPropagated'] {
  return async (user, ctx) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const consumed = await Promise.all(consumers.map((consumer) => waitUntilConsumed(consumer, user, ctx, limit)));
    if (consumed.includes(false))
      ctx.log.warn({ userId: user.id, version: user.version }, 'a service did not consume a user change in time');
  };
}

/** Returns false after the time limit. An unavailable service consumes the message later. */
async function waitUntilConsumed(consumer: UserConsumer, user: User, ctx: Context, limit: AbortSignal): Promise<boolean> {
  const { client, route } = consumer;
  const requestContext = { requestId: ctx.requestId, marketplaceId: ctx.caller.marketplaceId };
  const requireVersion = async (): Promise<void> => {
    const { version } = await client.call(route, { params: { id: user.id } }, requestContext);
    if (version < user.version) throw new Error('the service has an older version of the user');
  };
  return retry(requireVersion, { ...pollBackoff, attemptsMax: Number.POSITIVE_INFINITY, signal: limit }).then(
    () => true,
    () => false,
  );
}
