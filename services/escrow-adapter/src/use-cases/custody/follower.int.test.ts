import { Keypair, Networks } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { landedIn } from '../../testing/custody.js';
import { aRenamedRpc } from '../../testing/renamed-rpc.js';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';
import { aTamperedHorizon, type TamperedHorizon } from '../../testing/tampered-horizon.js';

let testbed: WalletTestbed;
const horizons: TamperedHorizon[] = [];

beforeAll(async () => {
  testbed = await aWalletTestbed();
}, serverStartTimeoutMs);

afterEach(() => testbed.acknowledgeOnly(() => true));

afterAll(async () => {
  await testbed.end();
  for (const horizon of horizons) await horizon.close();
});

/** A process with its own Horizon, so that its calls can be counted. */
async function aProcess(env: Readonly<Record<string, string>> = {}) {
  const horizon = await aTamperedHorizon(testbed.sandbox.horizonUrl);
  horizons.push(horizon);
  return { horizon, ...(await testbed.start({ LEDGER_HORIZON_URL: horizon.url, ...env })) };
}

const never = { LEDGER_WATCH_EVERY_MS: '86400000', WALLET_SWEEP_EVERY_MS: '86400000' };

const depositsOf = (userId: string) =>
  testbed.published.filter(({ type, aggregateId }) => type === 'balance.deposit_received' && aggregateId === userId);

const sync = (wallets: RunningWallets, userId: string) =>
  wallets.post(`/internal/wallets/${userId}/sync-deposits`, {}, { type: 'system' });

describe('the follower', () => {
  it('is one process at a time, and another one after it has stopped', async () => {
    const first = await aProcess();
    await eventually(() => expect(first.horizon.historyCalls()).toBeGreaterThan(0));
    const second = await aProcess();
    const { userId, address } = await first.aWallet();
    await testbed.pay(address, 'USDC', '1');
    await eventually(() => expect(depositsOf(userId)).toHaveLength(1));
    expect(second.horizon.historyCalls()).toBe(0);

    await first.stop();
    await testbed.pay(address, 'USDC', '2');
    await eventually(() => expect(depositsOf(userId)).toHaveLength(2));
    expect(second.horizon.historyCalls()).toBeGreaterThan(0);
    await second.stop();
  });

  it('is replaced after it was killed, without a loss and without a repeat', async () => {
    const killed = await aProcess(never);
    const { userId, address } = await killed.aWallet();
    await testbed.pay(address, 'USDC', '1');
    await sync(killed, userId);
    await testbed.pay(address, 'USDC', '2');
    await killed.stop();
    await testbed.database.asAdmin(
      `update escrow_adapter.leases
       set token = 'of a dead process', until = now() + interval '300 milliseconds'
       where name = 'ledger-follower'`,
    );
    const successor = await aProcess();
    await eventually(() => expect(depositsOf(userId)).toHaveLength(2));
    await eventually(async () => expect((await sync(successor, userId)).data.deposits).toEqual([]));
    expect(depositsOf(userId).map(({ payload }) => payload)).toMatchObject([{ amount: '1.00' }, { amount: '2.00' }]);
    await successor.stop();
  });

  it('gives its place to another process while it cannot read the history', async () => {
    const [cut, other] = [await aProcess(), await aProcess()];
    const { userId, address } = await cut.aWallet();
    cut.horizon.refuseHistory(503);
    await testbed.pay(address, 'USDC', '3');
    await eventually(() => expect(depositsOf(userId)).toHaveLength(1));
    expect(other.horizon.historyCalls()).toBeGreaterThan(0);
    await cut.stop();
    await other.stop();
  });

  it('is not needed for a sync: any process credits a deposit at once', async () => {
    const [one, other] = [await aProcess(never), await aProcess(never)];
    const { userId, address } = await one.aWallet();
    await testbed.pay(address, 'USDC', '4');
    testbed.acknowledgeOnly(() => false);
    const synced = await Promise.all([sync(one, userId), sync(other, userId)]);
    // Both may return it, as long as it is not credited; its operation says that it is the same one.
    const found = synced.flatMap(({ data }) => data.deposits as readonly { readonly operationId: string }[]);
    expect(new Set(found.map(({ operationId }) => operationId)).size).toBe(1);
    await eventually(() => expect(depositsOf(userId)).toHaveLength(1));
    await one.stop();
    await other.stop();
    expect(depositsOf(userId)).toHaveLength(1);
  });
});

describe('the history', () => {
  it('costs as many calls with a thousand wallets as with ten', async () => {
    const wallets = await aProcess(never);
    const { userId } = await wallets.aWallet();
    await sync(wallets, userId);
    const callsOfSync = async (): Promise<number> => {
      const before = wallets.horizon.historyCalls();
      await sync(wallets, userId);
      return wallets.horizon.historyCalls() - before;
    };
    const withFew = await callsOfSync();
    await testbed.database.asAdmin(
      `insert into escrow_adapter.wallets (user_id, id, marketplace_id, address, sealed_seed, wrapped_key, master_key_id, created_at, activated_at)
       select 'usr_many' || address, 'wal_many' || address, 'mkt_default', address, '', '', 'none', now(), now()
       from unnest($1::text[]) as address`,
      [Array.from({ length: 1_000 }, () => Keypair.random().publicKey())],
    );
    await sync(wallets, userId); // reads what the network has added meanwhile
    expect([withFew, await callsOfSync()]).toEqual([1, 1]);
    await testbed.database.asAdmin(`delete from escrow_adapter.wallets where user_id like 'usr_many%'`);
    await wallets.stop();
  });

  it.each([429, 503])(
    'that is refused with %d stops no read of an account, and is read on afterwards',
    async (status) => {
      const wallets = await aProcess({ LEDGER_WATCH_EVERY_MS: '20' });
      const { userId, address } = await wallets.aWallet();
      wallets.horizon.refuseHistory(status);
      // More calls than open a circuit breaker.
      const refused = await Promise.all(Array.from({ length: 30 }, () => sync(wallets, userId)));
      expect(new Set(refused.map((response) => response.status))).toEqual(new Set([503]));
      const read = await wallets.get(`/users/${userId}/wallet`);
      expect([read.status, read.data]).toMatchObject([200, { publicKey: address }]);
      await testbed.pay(address, 'USDC', '5');
      wallets.horizon.refuseHistory(undefined);
      await eventually(() => expect(depositsOf(userId)).toHaveLength(1));
      await wallets.stop();
    },
    90_000,
  );

  it('503 SERVICE_UNAVAILABLE with Retry-After while its calls are used up; a repeated request is in the queue once', async () => {
    const wallets = await aProcess({ ...never, LEDGER_HISTORY_CALLS_PER_MINUTE: '1' });
    const { userId, address } = await wallets.aWallet();
    await eventually(async () => {
      const list = () => wallets.get(`/users/${userId}/wallet/transactions`);
      const refused = [await list(), await list()];
      expect(refused.map(({ code, headers }) => [code, headers['retry-after']])).toEqual(
        Array(2).fill(['SERVICE_UNAVAILABLE', '5']),
      );
      const waiting = await testbed.database.asAdmin(
        'select from escrow_adapter.provider_calls_waiting where starts_with(key, $1)',
        [`/accounts/${address}/payments`],
      );
      expect(waiting).toHaveLength(1);
    });
    await wallets.stop();
  });
});

describe('the first start on a public network', () => {
  const onPublic = { LEDGER_NETWORK_PASSPHRASE: Networks.TESTNET, ...never };

  it('fails while the network is unreachable, then begins after the newest ledger, with what its accounts hold', async () => {
    const fresh = await aWalletTestbed();
    const { horizonUrl, rpcUrl, networkPassphrase } = fresh.sandbox;
    const unreachable = { LEDGER_HORIZON_URL: 'http://127.0.0.1:9', LEDGER_RPC_URL: 'http://127.0.0.1:9' };
    await expect(fresh.start({ ...onPublic, ...unreachable })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const [horizon, rpc] = [
      await aTamperedHorizon(horizonUrl),
      await aRenamedRpc(rpcUrl, { from: networkPassphrase, to: Networks.TESTNET }),
    ];
    horizon.showNetwork(Networks.TESTNET);
    const reachable = { ...onPublic, LEDGER_HORIZON_URL: horizon.url, LEDGER_RPC_URL: rpc.url };
    await fresh.open(fresh.treasury.publicKey(), '5');
    const ledger = await latestLedger(fresh);
    await (await fresh.start(reachable)).stop();
    const cursors = () => fresh.database.asAdmin('select cursor from escrow_adapter.feed_cursors');
    const [begun] = (await cursors()) as readonly { readonly cursor: string }[];
    const begunAfter = Number(((BigInt(begun?.cursor ?? '0') + 1n) >> 32n) - 1n);
    expect(begunAfter).toBeGreaterThanOrEqual(ledger);
    expect(landedIn(fresh.published)).toMatchObject([
      {
        ledger: begunAfter,
        legs: [
          { place: 'treasury', asset: 'XLM', amount: '5.00' },
          { place: 'capital', asset: 'XLM', amount: '-5.00' },
        ],
      },
    ]);
    await fresh.open(Keypair.random().publicKey(), '5');
    await (await fresh.start(reachable)).stop();
    expect(await cursors()).toEqual([begun]);
    expect(landedIn(fresh.published)).toHaveLength(1);
    await fresh.end();
    await Promise.all([horizon.close(), rpc.close()]);
  });
});

async function latestLedger({ sandbox }: WalletTestbed): Promise<number> {
  const root = (await (await fetch(sandbox.horizonUrl)).json()) as { readonly history_latest_ledger: number };
  return root.history_latest_ledger;
}
