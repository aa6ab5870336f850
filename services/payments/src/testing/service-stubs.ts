import { cancelLedgerPayout, findWalletByAddress, getBalances, resolveLedgerPayout } from '@holdfast/contracts/http';
import { handle, type BoundRoute } from '@holdfast/http/server';
import type { Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { ServiceName } from '@holdfast/contracts/services';
import type { Lifecycle } from '@holdfast/process/lifecycle';
import { startStubService } from '@holdfast/testing/services';
import { journalRoutes, networkRoutes, type SimulatedCustody } from './simulated-books.js';
import type { SimulatedLedger } from './simulated-ledger.js';

/** The cap of escrow-adapter; it is above the usual limit of withdrawals. */
export const ledgerPayoutMax = '6000.00';

/** The only transaction that proves a payout. */
export const provedHash = 'b'.repeat(64);

type Options = {
  readonly secret: string;
  readonly clock: Clock;
  readonly ledger: SimulatedLedger;
  /** Addresses that escrow-adapter knows as the platform's own. */
  readonly ownAddresses: ReadonlySet<string>;
  readonly custody: SimulatedCustody;
  /** Withdrawals whose payout was canceled at escrow-adapter. */
  readonly payoutsCanceled: Set<string>;
  /** Withdrawals whose payout was resolved there, with the outcome. */
  readonly payoutsResolved: Map<string, string>;
  readonly lifecycle: Lifecycle;
};

/** Serves the internal routes of ledger-balance and escrow-adapter that payments calls. Returns the settings with their URLs. */
export async function startOtherServices(options: Options) {
  const { secret, clock, ledger, ownAddresses, custody, payoutsCanceled, payoutsResolved, lifecycle } = options;
  const start = async (service: ServiceName, routes: readonly BoundRoute[]): Promise<string> => {
    const { url, stop } = await startStubService({ service, secret, clock, routes });
    lifecycle.onStop(service, stop);
    return url;
  };
  const balances = handle(getBalances, ({ body: { userIds, currency } }) => {
    const found = userIds.map((userId) => ({ userId, ...ledger.balanceOf(userId), total: '0.00', currency }));
    return Promise.resolve({ balances: found });
  });
  const findAddress = handle(findWalletByAddress, ({ params: { address } }) =>
    Promise.resolve({ isOwn: ownAddresses.has(address), payoutMax: ledgerPayoutMax }),
  );
  const cancelPayout = handle(cancelLedgerPayout, ({ params: { id } }) => {
    payoutsCanceled.add(id);
    return Promise.resolve({ isRequested: true });
  });
  const resolvePayout = handle(resolveLedgerPayout, ({ params: { id }, body }) => {
    if (body.outcome === 'succeeded' && body.transactionHash !== provedHash)
      throw new AppError('INVALID_STATE', { reason: 'the network does not prove it' });
    if (!body.isCheck) payoutsResolved.set(id, body.outcome);
    return Promise.resolve({ isProved: true });
  });
  return {
    LEDGER_BALANCE_URL: await start('ledger-balance', [balances, ...journalRoutes(ledger, custody)]),
    ESCROW_ADAPTER_URL: await start('escrow-adapter', [findAddress, cancelPayout, resolvePayout, ...networkRoutes(custody)]),
  };
}
