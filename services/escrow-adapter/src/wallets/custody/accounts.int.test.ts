import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { silentLog } from '@holdfast/testing/log';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { horizonNetwork } from '../network/horizon-network.js';
import { watcherStore } from '../store/watcher-store.js';
import { aWalletTestbed, type WalletTestbed } from '../testing/running-wallets.js';
import { creditedCurrency } from './credited-currency.js';
import { pollAccounts, type Poll, type WatchedTransaction, type WatcherStore } from './watcher.js';

let testbed: WalletTestbed;

beforeAll(async () => {
  testbed = await aWalletTestbed();
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

/** Polls account by account, as on a public network; collects the transactions instead of publishing messages. */
async function aPoll(): Promise<{
  readonly poll: Poll;
  readonly published: readonly WatchedTransaction[];
  readonly store: WatcherStore;
}> {
  const { horizonUrl: url, networkPassphrase, usdcIssuer } = testbed.sandbox;
  const published: WatchedTransaction[] = [];
  const database = await testbed.openTables();
  const outbox = { add: () => ({}) as never, addEnvelopes: () => Promise.resolve() };
  const platformPlaces = new Map(
    [...testbed.platformAddresses().keys()].map((address) => [address, { place: 'treasury' }] as const),
  );
  const real = watcherStore({ database, outbox, platformPlaces, creditedCurrency: creditedCurrency('asset') });
  const store: WatcherStore = {
    ...real,
    publish: async (transactions, move) => {
      published.push(...transactions);
      return real.publish(transactions, move);
    },
  };
  const { history } = horizonNetwork({ url, networkPassphrase, usdcIssuer });
  return { poll: pollAccounts({ history, store, log: silentLog }), published, store };
}

describe('a poll of single accounts', () => {
  it('publishes deposits and all operations of their transactions, once', async () => {
    const wallets = await testbed.start({ LEDGER_WATCH_EVERY_MS: '86400000', WALLET_SWEEP_EVERY_MS: '86400000' });
    const userId = testbed.newUserId();
    const address = await wallets.module.wallets.addressOf(userId, defaultMarketplaceId);
    await wallets.stop();
    await testbed.pay(address, 'USDC', '5');
    const { poll } = await aPoll();
    const { signal } = new AbortController();
    expect(await poll(signal)).toMatchObject([{ userId, asset: 'USDC', units: 50_000_000n }]);
    const holdings = await testbed.database.asAdmin(
      'select asset, units::text from escrow_adapter.wallet_holdings where user_id = $1 order by asset',
      [userId],
    );
    expect(holdings).toEqual([
      { asset: 'USDC', units: '50000000' },
      { asset: 'XLM', units: '50000000' },
    ]);
    expect(await poll(signal)).toEqual([]);
  });

  it('looks up own transactions without a payment', async () => {
    const { poll, published, store } = await aPoll();
    const [{ hash } = { hash: '' }] = await testbed.database.asAdmin<{ hash: string }>(
      `insert into escrow_adapter.unpublished_transactions (hash)
       select hash from escrow_adapter.ledger_transactions where step = 'treasury' limit 1
       returning hash`,
    );
    await poll(new AbortController().signal);
    expect(published.map((transaction) => transaction.hash)).toEqual([hash]);
    expect(await store.unpublishedHashes()).toEqual([]);
  });
});
