import type { Clock } from '@holdfast/kernel/context';
import { getBalances, getUserVersionInLedger } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { handle } from '@holdfast/http/server';
import { startStubService } from '@holdfast/testing/services';

export type LedgerStandIn = {
  readonly url: string;
  readonly setAvailable: (userId: string, available: string) => void;
  /** While it is down every question fails. */
  readonly setDown: (isDown: boolean) => void;
  /** Which version of every user it says it knows. */
  readonly setKnownVersion: (version: number) => void;
  /** How often it was asked for the version of a user. */
  readonly versionRequests: () => number;
  readonly stop: () => Promise<void>;
};

/** The two questions that identity asks the ledger. */
export async function startLedgerStandIn(secret: string, clock: Clock): Promise<LedgerStandIn> {
  const available = new Map<string, string>();
  const state = { isDown: false, version: Number.MAX_SAFE_INTEGER, requests: 0 };
  const refuseWhileDown = (): void => {
    if (state.isDown) throw new AppError('SERVICE_UNAVAILABLE');
  };
  const balances = handle(getBalances, async ({ body: { userIds, currency } }) => {
    refuseWhileDown();
    const has = (userId: string): string => available.get(userId) ?? '0.00';
    return {
      balances: userIds.map((userId) => ({ userId, available: has(userId), reserved: '0.00', total: has(userId), currency })),
    };
  });
  const knownUser = handle(getUserVersionInLedger, async () => {
    refuseWhileDown();
    state.requests += 1;
    return { version: state.version };
  });
  const { url, stop } = await startStubService({ service: 'ledger-balance', secret, clock, routes: [balances, knownUser] });
  return {
    url,
    stop,
    setAvailable: (userId, amount) => void available.set(userId, amount),
    setDown: (isDown) => void (state.isDown = isDown),
    setKnownVersion: (version) => void (state.version = version),
    versionRequests: () => state.requests,
  };
}
