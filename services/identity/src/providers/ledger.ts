import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '@holdfast/shared/context';
import { getBalances, getNotedUser } from '@holdfast/shared/contracts/http';
import { baseCurrency } from '@holdfast/shared/money';
import type { ServiceClient } from '@holdfast/shared/service-client';
import type { User } from '../domain/user.js';
import type { Deps, UserBalance } from '../use-cases/ports.js';

/** How long a change may wait for those who must know it. */
const notedTimeoutMs = 2_000;
const firstPauseMs = 5;
const pauseMsMax = 100;

export function ledgerBalances(ledger: ServiceClient): Deps['balances'] {
  return {
    of: async (userIds, ctx) => {
      const { balances } = await ledger.ask(
        getBalances,
        { body: { userIds: [...userIds], currency: baseCurrency } },
        forWhom(ctx),
      );
      const byUser = new Map<string, UserBalance>(balances.map(({ userId, ...balance }) => [userId, balance]));
      return userIds.flatMap((userId) => byUser.get(userId) ?? []);
    },
  };
}

/** Asks every service that listens to users whether it has heard of the change, until all have or the time is up. */
export function notedBy(services: readonly ServiceClient[]): Deps['users']['whenNoted'] {
  return async (user, ctx) => {
    const limit = AbortSignal.timeout(notedTimeoutMs);
    const noted = await Promise.all(services.map((service) => waitUntilNoted(service, user, ctx, limit)));
    if (noted.includes(false))
      ctx.log.warn({ userId: user.id, version: user.version }, 'a service has not noted a change in time');
  };
}

/** A service that does not answer now hears of the change by its message, like everybody. */
async function waitUntilNoted(service: ServiceClient, user: User, ctx: Context, limit: AbortSignal): Promise<boolean> {
  for (let pauseMs = firstPauseMs; !limit.aborted; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
    const known = await service.ask(getNotedUser, { params: { id: user.id } }, forWhom(ctx)).catch(() => undefined);
    if (known !== undefined && known.version >= user.version) return true;
    await pause(pauseMs, undefined, { signal: limit }).catch(() => undefined);
  }
  return false;
}

function forWhom({ requestId, caller }: Context) {
  return { requestId, marketplaceId: caller.marketplaceId };
}
