import type { Clock } from '@holdfast/kernel/context';
import { getBalances, getUserVersionInLedger } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { handle } from '@holdfast/http/server';
import { startStubService } from '@holdfast/testing/services';

export type LedgerStub = {
  readonly url: string;
  readonly setAvailable: (userId: string, available: string) => void;
  /** While it is down, every request gets 503. */
  readonly setDown: (isDown: boolean) => void;
  /** The version that it returns for every user. */
  readonly setKnownVersion: (version: number) => void;
  /** Number of requests for the version of a user. */
  readonly versionRequests: () => number;
  readonly stop: () => Promise<void>;
};

/** Serves the two routes of ledger-balance that identity calls. */
export async function startLedgerStub(secret: string, clock: Clock): Promise<LedgerStub> {
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
