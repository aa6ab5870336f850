import { Networks } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';
import { custodyOf } from '../../testing/custody.js';
import { aStranger } from '../../testing/stranger.js';
import { aTamperedHorizon, type TamperedHorizon } from '../../testing/tampered-horizon.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;
let horizon: TamperedHorizon;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  horizon = await aTamperedHorizon(testbed.sandbox.horizonUrl);
  wallets = await testbed.start({ LEDGER_HORIZON_URL: horizon.url, DEPOSIT_UNCONFIRMED_AFTER_MS: '500' });
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
  await horizon.close();
});

afterEach(() => {
  horizon.falsify(undefined);
  testbed.acknowledgeOnly(() => true);
});

const messagesOf = (type: string, userId: string) =>
  testbed.published.filter((message) => message.type === type && JSON.stringify(message.payload).includes(userId));
const depositsOf = (userId: string) => messagesOf('balance.deposit_received', userId);
const usdcOf = async (address: string) => (await testbed.network.account(address))?.balances.USDC;
const sync = (userId: string) => wallets.post(`/internal/wallets/${userId}/sync-deposits`, {}, { type: 'system' });

describe('a Horizon that shows what is not there', () => {
  it('credits no user with a raised amount, and a case is opened after the time limit', async () => {
    const { userId, address } = await wallets.aWallet();
    horizon.falsify((record) => (record['to'] === address ? { ...record, amount: '5000.0000000' } : record));
    await testbed.pay(address, 'USDC', '5');
    const found = await eventually(() => {
      const messages = messagesOf('custody.unconfirmed_deposit_found', userId);
      expect(messages).toHaveLength(1);
      return messages;
    });
    expect(found.map(({ payload }) => payload)).toMatchObject([{ userId, amount: '5000.00', currency: 'USDC', orderId: null }]);
    expect(depositsOf(userId)).toEqual([]);
    expect((await sync(userId)).data.deposits).toEqual([]);
    expect((await custodyOf(testbed)).wrong).toEqual([
      { account: `wallet ${userId} USDC`, published: 0n, onNetwork: 50_000_000n },
    ]);
  });

  it('credits no user with a payment to another account', async () => {
    const [{ userId, address }, stranger] = [await wallets.aWallet(), await aStranger(testbed.sandbox)];
    const isPayment = (record: Readonly<Record<string, unknown>>) =>
      record['to'] === stranger.address && record['amount'] === '7.0000000';
    horizon.falsify((record) => (isPayment(record) ? { ...record, to: address } : record));
    await testbed.pay(stranger.address, 'USDC', '7');
    await eventually(() => expect(messagesOf('custody.unconfirmed_deposit_found', userId)).toHaveLength(1));
    expect(depositsOf(userId)).toEqual([]);
  });

  it('of another network is refused at the start', async () => {
    const other = await aTamperedHorizon(testbed.sandbox.horizonUrl);
    other.showNetwork(Networks.PUBLIC);
    await expect(testbed.start({ LEDGER_HORIZON_URL: other.url })).rejects.toMatchObject({
      name: 'WrongNetwork',
      message: `The Horizon belongs to another network: ${Networks.PUBLIC}`,
    });
    await expect(testbed.start({ LEDGER_HORIZON_SECOND_URL: other.url })).rejects.toMatchObject({ name: 'WrongNetwork' });
    await other.close();
  });
});

describe('a deposit', () => {
  it('waits while the RPC is away, and a sync says so', async () => {
    const other = await aWalletTestbed();
    const never = { LEDGER_WATCH_EVERY_MS: '86400000', WALLET_SWEEP_EVERY_MS: '86400000' };
    const before = await other.start(never);
    const { userId, address } = await before.aWallet();
    await before.stop();
    await other.pay(address, 'USDC', '3');
    const syncAt = ({ post }: RunningWallets) => post(`/internal/wallets/${userId}/sync-deposits`, {}, { type: 'system' });
    const received = () => other.published.filter(({ type }) => type === 'balance.deposit_received');

    const cut = await other.start({ ...never, LEDGER_RPC_URL: 'http://127.0.0.1:9' });
    expect((await syncAt(cut)).status).toBe(503);
    expect(received()).toEqual([]);
    await cut.stop();

    other.acknowledgeOnly(() => false);
    const after = await other.start(never);
    expect((await syncAt(after)).data.deposits).toMatchObject([{ amount: '3.00', currency: 'USDC' }]);
    await eventually(() => expect(received()).toHaveLength(1));
    await other.end();
  });

  it('that is not credited yet is returned by every sync and never swept', async () => {
    const [{ userId, address }, other] = [await wallets.aWallet(), await wallets.aWallet()];
    testbed.acknowledgeOnly(({ aggregateId }) => aggregateId !== userId);
    await testbed.pay(address, 'USDC', '100');
    await eventually(() => expect(depositsOf(userId)).toHaveLength(1));
    for (let syncs = 0; syncs < 2; syncs += 1) {
      expect((await sync(userId)).data.deposits).toMatchObject([{ asset: 'USDC', currency: 'USDC', amount: '100.00' }]);
    }
    // Another user's wallet is swept meanwhile.
    await testbed.pay(other.address, 'USDC', '5');
    await eventually(async () => expect(await usdcOf(other.address)).toBe(0n));
    expect(await usdcOf(address)).toBe(1_000_000_000n);
  });

  it('that is too small is credited together with later ones, and stays in the wallet until then', async () => {
    const { userId, address } = await wallets.aWallet();
    await testbed.pay(address, 'USDC', '0.0060000');
    await eventually(async () =>
      expect((await custodyOf(testbed)).wrong.filter(({ account }) => account.includes(userId))).toEqual([]),
    );
    expect(depositsOf(userId)).toEqual([]);
    await testbed.pay(address, 'USDC', '0.0070000');
    await eventually(() => expect(depositsOf(userId)).toHaveLength(1));
    expect(depositsOf(userId)).toMatchObject([{ payload: { amount: '0.013', currency: 'USDC' } }]);
    await testbed.pay(address, 'USDC', '2');
    await eventually(() => expect(depositsOf(userId)).toHaveLength(2));
    expect(depositsOf(userId)[1]).toMatchObject({ payload: { amount: '2.00' } });
  });
});
