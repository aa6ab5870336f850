import { retry } from '@holdfast/kernel/async';
import type { Context } from '@holdfast/kernel/context';
import type { getUserVersionInLedger } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import type { User } from '../domain/user.js';
import type { Deps } from '../use-cases/ports.js';

/** A service that listens to users, and the question which version of one it knows. */
export type UserConsumer = {
  readonly client: ServiceClient;
  readonly route: typeof getUserVersionInLedger;
};

/** How long a change may wait for those who must know it. */
const propagationTimeoutMs = 2_000;
const pollBackoff = { firstDelayMs: 5, delayMsMax: 100 };

/** Asks every service that listens to users whether it has heard of the change, until all have or the time is up. */
export function userPropagation(listeners: readonly UserConsumer[]): Deps['users']['whenPropagated'] {
  return async (user, ctx) => {
    const limit = AbortSignal.timeout(propagationTimeoutMs);
    const consumed = await Promise.all(listeners.map((listener) => waitUntilConsumed(listener, user, ctx, limit)));
    if (consumed.includes(false))
      ctx.log.warn({ userId: user.id, version: user.version }, 'a service did not consume a user change in time');
  };
}

/** A service that does not answer now hears of the change by its message, like everybody. */
async function waitUntilConsumed(listener: UserConsumer, user: User, ctx: Context, limit: AbortSignal): Promise<boolean> {
  const { client, route } = listener;
  const requestContext = { requestId: ctx.requestId, marketplaceId: ctx.caller.marketplaceId };
  const requireVersion = async (): Promise<void> => {
    const { version } = await client.call(route, { params: { id: user.id } }, requestContext);
    if (version < user.version) throw new Error('an older version is known');
  };
  return retry(requireVersion, { ...pollBackoff, attemptsMax: Number.POSITIVE_INFINITY, signal: limit }).then(
    () => true,
    () => false,
  );
}
