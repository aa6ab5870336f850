import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';
import { custodyOf, landedIn } from '../../testing/custody.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  wallets = await testbed.start();
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

/** In the order in which they were published; they can arrive in another one. */
function depositsOf(userId: string) {
  return testbed.published
    .filter(({ type, aggregateId }) => type === 'balance.deposit_received' && aggregateId === userId)
    .toSorted((one, other) => one.occurredAt.localeCompare(other.occurredAt));
}

describe('a payment into a wallet', () => {
  it('is published once, with its operation id; the activation payment is not', async () => {
    const { userId, address } = await wallets.aWallet();
    await testbed.pay(address, 'USDC', '12.3456789'.slice(0, 10));
    await testbed.pay(address, 'XLM', '3');
    await eventually(() => {
      expect(depositsOf(userId)).toHaveLength(2);
    });
    expect(depositsOf(userId).map(({ payload }) => payload)).toMatchObject([
      { userId, amount: '12.3456789', currency: 'USDC', operationId: expect.stringMatching(/^\d+$/) },
      { userId, amount: '3.00', currency: 'XLM' },
    ]);
    expect(depositsOf(userId).map(({ saga, sagaRunId }) => [saga, sagaRunId])).toEqual(Array(2).fill(['deposit', undefined]));
  });

  it('is published at once by syncDeposits, in the base currency if DEPOSIT_CREDITS is base; custody stays in the asset', async () => {
    const other = await aWalletTestbed();
    const never = { LEDGER_WATCH_EVERY_MS: '86400000', WALLET_SWEEP_EVERY_MS: '86400000' };
    const inBase = await other.start({ DEPOSIT_CREDITS: 'base', ...never });
    const userId = other.newUserId();
    const address = await inBase.activeAddressOf(userId);
    await other.pay(address, 'USDC', '5');
    await other.pay(address, 'XLM', '3');
    const sync = () => inBase.post(`/internal/wallets/${userId}/sync-deposits`, {}, { type: 'system' });
    other.acknowledgeOnly(() => false);
    expect((await sync()).data).toMatchObject({
      address,
      deposits: [
        { asset: 'USDC', currency: 'USD', amount: '5.00' },
        { asset: 'XLM', currency: 'XLM', amount: '3.00' },
      ],
    });
    other.acknowledgeOnly(() => true);
    await eventually(async () => expect((await sync()).data.deposits).toEqual([]));
    const holdings = await inBase.get(`/internal/wallets/${userId}/holdings`, { type: 'system' });
    expect(holdings.data).toEqual({
      userId,
      address,
      holdings: [
        { asset: 'USDC', amount: '5.00' },
        { asset: 'XLM', amount: '3.00' },
      ],
    });
    await eventually(() => {
      const received = other.published.filter(({ type }) => type === 'balance.deposit_received');
      expect(received.map(({ payload }) => payload)).toMatchObject([
        { userId, amount: '5.00', currency: 'USD' },
        { userId, amount: '3.00', currency: 'XLM' },
      ]);
    });
    const legs = landedIn(other.published).flatMap((transaction) => transaction.legs);
    expect(legs).toContainEqual({ place: 'wallet', ownerId: userId, asset: 'USDC', amount: '5.00' });
    await other.end();
  });

  it('is published after downtime, and once by two processes', async () => {
    const { userId, address } = await wallets.aWallet();
    await wallets.stop();
    await testbed.pay(address, 'USDC', '5');
    wallets = await testbed.start();
    const other = await testbed.start();
    await testbed.pay(address, 'USDC', '6');
    await eventually(() => {
      expect(depositsOf(userId)).toHaveLength(2);
    });
    await other.stop();
    const [{ count } = { count: 0n }] = await testbed.database.asAdmin<{ count: bigint }>(
      'select count(*) from escrow_adapter.published_transactions',
    );
    const published = landedIn(testbed.published).map(({ transactionHash }) => transactionHash);
    expect(new Set(published).size).toBe(published.length);
    expect(Number(count)).toBeGreaterThanOrEqual(published.length);
  });

  it('is not passed by the cursor before it is published', async () => {
    const { userId, address } = await wallets.aWallet();
    await testbed.database.asAdmin('alter table escrow_adapter.published_transactions rename to hidden');
    await testbed.pay(address, 'USDC', '5');
    const refused = await wallets.post(`/internal/wallets/${userId}/sync-deposits`, {}, { type: 'system' });
    expect(refused.status).toBe(500);
    await testbed.database.asAdmin('alter table escrow_adapter.hidden rename to published_transactions');
    await eventually(() => {
      expect(depositsOf(userId)).toHaveLength(1);
    });
  });
});

describe('the sweep', () => {
  it('moves the surplus to the treasury and leaves the balance of the user', async () => {
    const { userId, address } = await wallets.aWallet();
    testbed.setOwned(userId, '40.00');
    await testbed.pay(address, 'USDC', '100');
    await eventually(async () => {
      expect((await testbed.network.account(address))?.balances.USDC).toBe(400_000_000n);
    });
    expect(depositsOf(userId)).toHaveLength(1);
  });
});

describe('custody', () => {
  it('equals the balance on the network for every account', async () => {
    await wallets.aWallet();
    await eventually(async () => {
      const { wrong, count } = await custodyOf(testbed);
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThan(5);
    });
  });
});
