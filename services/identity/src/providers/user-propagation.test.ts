import { getUserVersionInLedger } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { collectingLog } from '@holdfast/testing/log';
import { newUser } from '../domain/user.js';
import { userPropagation, type UserConsumer } from './user-propagation.js';

const at = '2026-01-31T12:00:00.000000Z';
const given = {
  id: 'usr_1',
  marketplaceId: 'mkt_1',
  externalUserId: 'customer-7',
  email: null,
  type: 'BOTH',
  metadata: {},
} as const;
const user = { ...newUser(given, at), version: 2 };

/** A service that returns one version after the other, the last one for ever. */
function aConsumer(...versions: readonly [...number[], number | AppError]): UserConsumer & { readonly requests: () => number } {
  let requests = 0;
  const call = (): Promise<{ readonly version: number }> => {
    const version = versions[Math.min(requests, versions.length - 1)];
    requests += 1;
    return version instanceof AppError ? Promise.reject(version) : Promise.resolve({ version: version ?? 0 });
  };
  return { route: getUserVersionInLedger, client: { call } as unknown as ServiceClient, requests: () => requests };
}

function aContext() {
  const log = collectingLog();
  const caller = { type: 'master', id: 'master', marketplaceId: 'mkt_1', scopes: [] } as const;
  const ctx: Context = { requestId: 'test', caller, at, log };
  return { ctx, warnings: () => log.lines.map(({ level, fact }) => `${level}: ${fact}`) };
}

describe('the wait for a change of a user', () => {
  it('ends when every service has consumed its version', async () => {
    const [quick, slow] = [aConsumer(2), aConsumer(1, 1, 3)];
    const { ctx, warnings } = aContext();
    await userPropagation([quick, slow])(user, ctx);
    expect([quick.requests(), slow.requests(), warnings()]).toEqual([1, 3, []]);
  });

  it.each([
    ['stays behind', aConsumer(1)],
    ['is unavailable', aConsumer(new AppError('SERVICE_UNAVAILABLE'))],
  ])('ends at the time limit with a warning while a service %s', async (_, late) => {
    const { ctx, warnings } = aContext();
    await userPropagation([aConsumer(2), late], 50)(user, ctx);
    expect(warnings()).toEqual(['warn: a service did not consume a user change in time']);
    expect(late.requests()).toBeGreaterThan(0);
  });
});
