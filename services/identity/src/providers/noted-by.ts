import { retry } from '@holdfast/shared/async';
import type { Context } from '@holdfast/shared/context';
import type { getNotedUser } from '@holdfast/shared/contracts/http';
import type { ServiceClient } from '@holdfast/shared/service-client';
import type { User } from '../domain/user.js';
import type { Deps } from '../use-cases/ports.js';

/** A service that listens to users, and the question which version of one it knows. */
export type UserListener = {
  readonly client: ServiceClient;
  readonly question: typeof getNotedUser;
};

/** How long a change may wait for those who must know it. */
const notedTimeoutMs = 2_000;
const asking = { firstDelayMs: 5, delayMsMax: 100 };

/** Asks every service that listens to users whether it has heard of the change, until all have or the time is up. */
export function notedBy(listeners: readonly UserListener[]): Deps['users']['whenNoted'] {
  return async (user, ctx) => {
    const limit = AbortSignal.timeout(notedTimeoutMs);
    const noted = await Promise.all(listeners.map((listener) => waitUntilNoted(listener, user, ctx, limit)));
    if (noted.includes(false))
      ctx.log.warn({ userId: user.id, version: user.version }, 'a service has not noted a change in time');
  };
}

/** A service that does not answer now hears of the change by its message, like everybody. */
async function waitUntilNoted(listener: UserListener, user: User, ctx: Context, limit: AbortSignal): Promise<boolean> {
  const { client, question } = listener;
  const askedFor = { requestId: ctx.requestId, marketplaceId: ctx.caller.marketplaceId };
  const requireNoted = async (): Promise<void> => {
    const { version } = await client.ask(question, { params: { id: user.id } }, askedFor);
    if (version < user.version) throw new Error('an older version is known');
  };
  return retry(requireNoted, { ...asking, attemptsMax: Number.POSITIVE_INFINITY, signal: limit }).then(
    () => true,
    () => false,
  );
}
