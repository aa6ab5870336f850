import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  wallets = await testbed.start();
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

function publishedAbout(userId: string, type: string) {
  return testbed.published.filter((message) => message.aggregateId === userId && message.type === type);
}

async function storedAddress(userId: string): Promise<string> {
  const select = 'select address from escrow_adapter.wallets where user_id = $1';
  const [wallet] = await testbed.database.asAdmin<{ readonly address: string }>(select, [userId]);
  return wallet?.address ?? '';
}

const nothing = { XLM: 0n, USDC: 0n };
const unreachable = 'http://127.0.0.1:9';
/** The network requires it for an account with one trustline. */
const reserveOfWallet = 15_000_000n;

async function sponsoredByTreasury(): Promise<bigint> {
  const [treasury = ''] = await wallets.module.wallets.addressesAt('treasury', null);
  return (await testbed.network.account(treasury))?.reservedUnits ?? 0n;
}

async function activations(): Promise<number> {
  const [row] = await testbed.database.asAdmin<{ count: bigint }>(
    `select count(*) from escrow_adapter.ledger_transactions where step = 'activate' and state = 'LANDED'`,
  );
  return Number(row?.count);
}

describe('the treasury', () => {
  it('has its account, channels and platform account with USDC trustlines after the start', async () => {
    const { addressesAt, platformAddress } = wallets.module.wallets;
    const addresses = await addressesAt('treasury', null);
    expect(addresses).toHaveLength(3);
    for (const address of addresses) {
      const account = await testbed.network.account(address);
      expect(account?.balances.USDC).toBeGreaterThan(1_000_000n * 10_000_000n);
      expect(account?.balances.XLM).toBeGreaterThan(1_000n * 10_000_000n);
    }
    expect((await testbed.network.account(platformAddress()))?.balances.USDC).toBe(0n);
  });
});

describe('a wallet', () => {
  it('is created and published once for concurrent calls in two processes', async () => {
    const other = await testbed.start();
    const userId = testbed.newUserId();
    const requests = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? wallets : other).activeAddressOf(userId));
    const addresses = new Set(await Promise.all(requests));
    expect(addresses.size).toBe(1);
    const [ledgerAddress] = addresses;
    await eventually(() => {
      expect(publishedAbout(userId, 'user.ledger_linked')).toMatchObject([
        { aggregatePart: 'wallet', aggregateVersion: 1, payload: { userId, ledgerAddress } },
      ]);
    });
    const [linked] = publishedAbout(userId, 'user.ledger_linked');
    expect(publishedAbout(userId, 'audit.recorded')).toMatchObject([
      {
        afterEventId: linked?.id,
        payload: { action: 'WALLET_LINKED', resourceType: 'Wallet', relatedIds: [userId], after: { userId, ledgerAddress } },
      },
    ]);
    expect(await testbed.network.account(ledgerAddress ?? '')).toMatchObject({ balances: nothing, reservedUnits: 0n });
    await other.stop();
  });

  it('is created when user.created is consumed, and nothing is spent on it', async () => {
    const userIds = Array.from({ length: 25 }, testbed.newUserId);
    const before = await sponsoredByTreasury();
    await Promise.all(userIds.map(wallets.publishUserCreated));
    await eventually(() => {
      expect(userIds.filter((userId) => publishedAbout(userId, 'user.ledger_linked').length === 1)).toHaveLength(25);
    });
    const afterEvents = userIds.flatMap((userId) =>
      publishedAbout(userId, 'user.ledger_linked').map(({ afterEventId }) => afterEventId),
    );
    expect(new Set(afterEvents.filter((eventId) => eventId !== undefined)).size).toBe(25);
    for (const userId of userIds) expect(await testbed.network.account(await storedAddress(userId))).toBeUndefined();
    expect(await sponsoredByTreasury()).toBe(before);
  });

  it('is activated when it is first needed, many in few transactions, and the treasury holds the reserves', async () => {
    const userIds = Array.from({ length: 25 }, testbed.newUserId);
    const [before, activationsBefore] = [await sponsoredByTreasury(), await activations()];
    const addresses = await Promise.all(userIds.map(wallets.activeAddressOf));
    for (const address of addresses)
      expect(await testbed.network.account(address)).toMatchObject({ balances: nothing, reservedUnits: 0n });
    expect((await sponsoredByTreasury()) - before).toBe(25n * reserveOfWallet);
    expect((await activations()) - activationsBefore).toBeLessThan(12);
  });

  it('that was requested when its process died is activated by another one; one that was not is left alone', async () => {
    const [needed, unneeded] = [testbed.newUserId(), testbed.newUserId()];
    await wallets.stop();
    const offline = await testbed.start({ LEDGER_HORIZON_URL: unreachable, SETTLEMENT_TIMEOUT_MS: '1000' });
    const response = await offline.get(`/users/${needed}/wallet/deposit`);
    expect([response.status, response.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await offline.get(`/users/${unneeded}/wallet/transactions`);
    await offline.stop();
    wallets = await testbed.start();
    await eventually(async () => {
      expect(await testbed.network.account(await storedAddress(needed))).toMatchObject({ balances: nothing });
    });
    expect(await testbed.network.account(await storedAddress(unneeded))).toBeUndefined();
  });

  it('is activated even if a third party created the account, and that payment is a deposit', async () => {
    const userId = testbed.newUserId();
    const { publicKey: address } = (await wallets.get(`/users/${userId}/wallet`)).data;
    testbed.setOwned(userId, '7.00', 'XLM');
    await testbed.open(address, '7');
    expect(await wallets.activeAddressOf(userId)).toBe(address);
    // The creator of the account holds its reserve; the treasury holds the trustline's reserve.
    expect(await testbed.network.account(address)).toMatchObject({
      balances: { XLM: 70_000_000n, USDC: 0n },
      reservedUnits: 10_000_000n,
    });
    await eventually(() => {
      expect(publishedAbout(userId, 'balance.deposit_received')).toMatchObject([
        { payload: { amount: '7.00', currency: 'XLM' } },
      ]);
    });
  });

  it('belongs to a user of one marketplace', async () => {
    const userId = testbed.newUserId();
    await wallets.activeAddressOf(userId);
    await expect(wallets.module.wallets.addressOf(userId, 'mkt_other')).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });
});

describe('an account that the network does not have', () => {
  it('has balances of zero and no transactions, and reading it does not make it', async () => {
    const userId = testbed.newUserId();
    const wallet = await wallets.get(`/users/${userId}/wallet`);
    const none = { balance: '0.00' };
    expect([wallet.status, wallet.data.balances]).toEqual([200, [expect.objectContaining(none), expect.objectContaining(none)]]);
    const transactions = await wallets.get(`/users/${userId}/wallet/transactions`);
    expect([transactions.status, transactions.data]).toMatchObject([200, { data: [], hasMore: false, nextCursor: null }]);
    const holdings = await wallets.get(`/internal/wallets/${userId}/holdings`, { type: 'system' });
    expect(holdings.data.holdings).toEqual([
      { asset: 'USDC', amount: '0.00' },
      { asset: 'XLM', amount: '0.00' },
    ]);
    const sync = await wallets.post(`/internal/wallets/${userId}/sync-deposits`, {}, { type: 'system' });
    expect([sync.status, sync.data.deposits]).toEqual([200, []]);
    expect(await testbed.network.account(wallet.data.publicKey)).toBeUndefined();
  });
});

describe('GET /users/{userId}/wallet', () => {
  it('200 with the balances on the network', async () => {
    const userId = testbed.newUserId();
    const address = await wallets.activeAddressOf(userId);
    await testbed.pay(address, 'USDC', '12.5');
    const response = await wallets.get(`/users/${userId}/wallet`);
    expect([response.status, response.data]).toEqual([
      200,
      {
        publicKey: address,
        type: 'INVISIBLE',
        provider: 'holdfast',
        isPrimary: true,
        balances: [
          { asset: 'USDC', balance: '12.50' },
          { asset: 'XLM', balance: '0.00' },
        ],
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('404 USER_NOT_FOUND for an unknown user', async () => {
    const response = await wallets.get('/users/usr_unknown1/wallet');
    expect([response.status, response.code]).toEqual([404, 'USER_NOT_FOUND']);
  });
});

describe('GET /users/{userId}/wallet/deposit', () => {
  it('200 with an address that can receive at once, and the balance that is credited', async () => {
    const { data } = await wallets.get(`/users/${testbed.newUserId()}/wallet/deposit`);
    const { usdcIssuer } = testbed.sandbox;
    expect(data).toEqual({
      method: 'ledger_payment',
      address: expect.stringMatching(/^G/),
      asset: { code: 'USDC', issuer: usdcIssuer },
      network: 'sandbox',
      creditedCurrency: 'USDC',
      instructions: expect.stringContaining('to the USDC balance'),
    });
    await testbed.pay(data.address, 'USDC', '1');
  });

  it('200 names the base currency if DEPOSIT_CREDITS is base', async () => {
    const other = await testbed.start({ DEPOSIT_CREDITS: 'base' });
    const { data } = await other.get(`/users/${testbed.newUserId()}/wallet/deposit`);
    expect(data).toMatchObject({ creditedCurrency: 'USD', instructions: expect.stringContaining('to the USD balance') });
    await other.stop();
  });

  it('503 PLATFORM_STOPPED at once for an account that must be made first, while the platform is stopped', async () => {
    const { userId } = await wallets.aWallet();
    const stop = 'insert into escrow_adapter.emergency_stop (is_stopped, version, changed_at) values (true, 1, now())';
    await testbed.database.asAdmin(stop);
    const other = await testbed.start(); // it knows of the stop
    const [refused, made] = [testbed.newUserId(), userId].map((id) => other.get(`/users/${id}/wallet/deposit`));
    expect(await refused).toMatchObject({ status: 503, code: 'PLATFORM_STOPPED' });
    expect(await made).toMatchObject({ status: 200 });
    await testbed.database.asAdmin('delete from escrow_adapter.emergency_stop');
    await other.stop();
  });
});

describe('GET /users/{userId}/wallet/transactions', () => {
  it('200 lists the newest first, page by page', async () => {
    const userId = testbed.newUserId();
    const address = await wallets.activeAddressOf(userId);
    testbed.setOwned(userId, '6.00'); // so that it is not swept
    for (const amount of ['1', '2', '3']) await testbed.pay(address, 'USDC', amount);
    const first = (await wallets.get(`/users/${userId}/wallet/transactions?limit=2`)).data;
    const second = (await wallets.get(`/users/${userId}/wallet/transactions?limit=2&cursor=${first.nextCursor}`)).data;
    expect([...first.data, ...second.data]).toMatchObject([
      { type: 'payment', direction: 'IN', amount: '3.00', asset: 'USDC', to: address, successful: true },
      { amount: '2.00' },
      { amount: '1.00' },
      { type: 'create_account', direction: 'IN', amount: '0.00', asset: 'XLM' },
    ]);
    expect([first.hasMore, second.nextCursor]).toEqual([true, null]);
  });

  it('400 VALIDATION_ERROR for an invalid cursor', async () => {
    const response = await wallets.get(`/users/${testbed.newUserId()}/wallet/transactions?cursor=abc`);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
