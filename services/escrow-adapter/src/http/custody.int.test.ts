import { StrKey } from '@stellar/stellar-sdk';
import { aFundedContract } from '../testing/orders.js';
import { startAdapter, type RunningAdapter } from '../testing/running-adapter.js';
import { contractsOf } from '../testing/sandbox-state.js';

let adapter: RunningAdapter;
const system = { type: 'system', id: 'payments', scopes: [] } as const;

beforeAll(async () => {
  adapter = await startAdapter();
});
afterAll(() => adapter.stop());

describe('findWalletByAddress', () => {
  const isOwn = async (address: string): Promise<unknown> =>
    (await adapter.get(`/internal/addresses/${address}`, system)).data.isOwn;

  it('200 is true for wallets, treasury and platform, and false for all others', async () => {
    const { wallets, openOutside } = adapter.accounts;
    const wallet = await wallets.addressOf(adapter.newId('usr'), 'mkt_default');
    expect(await isOwn(wallet)).toBe(true);
    const [channel = ''] = await wallets.addressesAt('treasury', null);
    expect(await isOwn(channel)).toBe(true);
    expect(await isOwn(wallets.platformAddress())).toBe(true);
    expect(await isOwn(await openOutside())).toBe(false);
    expect(await isOwn('not-an-address')).toBe(false);
  });
});

describe('getCustodyBalances', () => {
  const balances = (accounts: readonly object[]) => adapter.post('/internal/custody/balances', { accounts }, system);

  it('200 has what accounts and contracts hold on the network, and zero for what does not exist', async () => {
    const { orderId, buyerId } = await aFundedContract(adapter, { parts: ['33.33'] });
    const wallet = await adapter.accounts.wallets.addressOf(buyerId, 'mkt_default');
    await adapter.accounts.give(wallet, 'USDC', '7.5000001');
    const unknown = adapter.newId('usr');
    const { status, data } = await balances([
      { place: 'contract', ownerId: orderId },
      { place: 'wallet', ownerId: buyerId },
      { place: 'wallet', ownerId: unknown },
      { place: 'treasury', ownerId: null },
      { place: 'world', ownerId: null },
    ]);
    expect(status).toBe(200);
    expect(data.ledger).toBeGreaterThan(0);
    expect(data.moving).toEqual([]);
    expect(data.balances).toEqual([
      { place: 'contract', ownerId: orderId, asset: 'USDC', amount: '33.33' },
      { place: 'contract', ownerId: orderId, asset: 'XLM', amount: '0.00' },
      { place: 'wallet', ownerId: buyerId, asset: 'USDC', amount: '7.5000001' },
      { place: 'wallet', ownerId: buyerId, asset: 'XLM', amount: expect.stringMatching(/^99\./) },
      { place: 'wallet', ownerId: unknown, asset: 'USDC', amount: '0.00' },
      { place: 'wallet', ownerId: unknown, asset: 'XLM', amount: '0.00' },
      { place: 'treasury', ownerId: null, asset: 'USDC', amount: '2999966.67' },
      { place: 'treasury', ownerId: null, asset: 'XLM', amount: expect.any(String) },
    ]);
  });

  it('400 VALIDATION_ERROR for more accounts than allowed and for an unknown place', async () => {
    const wallet = { place: 'wallet', ownerId: StrKey.encodeContract(Buffer.alloc(32)) };
    expect((await balances(Array.from({ length: 101 }, () => wallet))).status).toBe(400);
    expect((await balances([{ place: 'moon', ownerId: null }])).status).toBe(400);
    expect((await balances([])).status).toBe(400);
  });

  it('503 SERVICE_UNAVAILABLE while the balance of a funded contract is archived', async () => {
    const { orderId } = await aFundedContract(adapter);
    const [contract] = await contractsOf(adapter, orderId);
    await fetch(`${adapter.sandbox.controlUrl}/contracts/${contract?.contractId}/archive`, { method: 'POST' });
    expect((await balances([{ place: 'contract', ownerId: orderId }])).status).toBe(503);
  });

  it('503 SERVICE_UNAVAILABLE while the network cannot be read', async () => {
    await adapter.fault('read', 'error-before-effect', { target: 'ledger-network' });
    expect((await balances([{ place: 'treasury', ownerId: null }])).status).toBe(503);
    await adapter.clearFaults();
  });
});
