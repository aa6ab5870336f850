import { defaultMarketplaceId } from '@holdfast/shared/ids';
import { silentLog } from '@holdfast/shared/testing/log';
import { serverStartTimeoutMs } from '@holdfast/shared/testing/servers';
import { horizonNetwork } from '../network/horizon-network.js';
import { watcherStore } from '../store/watcher-store.js';
import { aWalletWorld, type WalletWorld } from '../testing/running-wallets.js';
import { lookAtAccounts, type Look, type NotedTransaction, type WatcherStore } from './watcher.js';

let world: WalletWorld;

beforeAll(async () => {
  world = await aWalletWorld();
}, serverStartTimeoutMs);

afterAll(async () => {
  await world.end();
});

/** Reads account by account, as on a network that is shared with the world; what it tells is kept instead of sent. */
async function aLook(): Promise<{
  readonly look: Look;
  readonly told: readonly NotedTransaction[];
  readonly store: WatcherStore;
}> {
  const { horizonUrl: url, networkPassphrase, usdcIssuer } = world.sandbox;
  const told: NotedTransaction[] = [];
  const database = await world.openTables();
  const outbox = { add: () => ({}) as never, tell: () => Promise.resolve() };
  const platformPlaces = new Map(
    [...world.platformAddresses().keys()].map((address) => [address, { place: 'treasury' }] as const),
  );
  const real = watcherStore({ database, outbox, platformPlaces });
  const store: WatcherStore = {
    ...real,
    note: async (transactions, move) => {
      told.push(...transactions);
      return real.note(transactions, move);
    },
  };
  const { history } = horizonNetwork({ url, networkPassphrase, usdcIssuer });
  return { look: lookAtAccounts({ history, store, log: silentLog }), told, store };
}

describe('a look at single accounts', () => {
  it('finds deposits and the whole transaction around each payment, once', async () => {
    const wallets = await world.start({ LEDGER_WATCH_EVERY_MS: '86400000', WALLET_SWEEP_EVERY_MS: '86400000' });
    const userId = world.newUserId();
    const address = await wallets.part.wallets.addressOf(userId, defaultMarketplaceId);
    await wallets.stop();
    await world.pay(address, 'USDC', '5');
    const { look } = await aLook();
    const { signal } = new AbortController();
    expect(await look(signal)).toMatchObject([{ userId, asset: 'USDC', units: 50_000_000n }]);
    const holdings = await world.database.asAdmin(
      'select asset, units::text from escrow_adapter.wallet_holdings where user_id = $1 order by asset',
      [userId],
    );
    expect(holdings).toEqual([
      { asset: 'USDC', units: '50000000' },
      { asset: 'XLM', units: '50000000' },
    ]);
    expect(await look(signal)).toEqual([]);
  });

  it('looks up transactions of our own that paid nobody', async () => {
    const { look, told, store } = await aLook();
    const [{ hash } = { hash: '' }] = await world.database.asAdmin<{ hash: string }>(
      `insert into escrow_adapter.untold_transactions (hash)
       select hash from escrow_adapter.ledger_transactions where step = 'treasury' limit 1
       returning hash`,
    );
    await look(new AbortController().signal);
    expect(told.map((transaction) => transaction.hash)).toEqual([hash]);
    expect(await store.untoldHashes()).toEqual([]);
  });
});
