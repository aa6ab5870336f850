import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { starterUnits } from './treasury/activation.js';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from './testing/running-wallets.js';

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

describe('the treasury', () => {
  it('has its account, channels and platform account with USDC trustlines after the start', async () => {
    const { treasuryAddress, treasuryChannelCount, platformAddress } = wallets.module.wallets;
    expect(treasuryChannelCount).toBe(2);
    for (const address of [treasuryAddress(0), treasuryAddress(1)]) {
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
    const requests = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? wallets : other).module.wallets.addressOf(userId, defaultMarketplaceId),
    );
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
    expect(await testbed.network.account(ledgerAddress ?? '')).toMatchObject({ balances: { XLM: starterUnits, USDC: 0n } });
    await other.stop();
  });

  it('is created and activated when user.created is consumed, many in few transactions', async () => {
    const userIds = Array.from({ length: 45 }, testbed.newUserId);
    await Promise.all(userIds.map(wallets.publishUserCreated));
    await eventually(() => {
      expect(userIds.filter((userId) => publishedAbout(userId, 'user.ledger_linked').length === 1)).toHaveLength(45);
    });
    const before = userIds.flatMap((userId) =>
      publishedAbout(userId, 'user.ledger_linked').map(({ afterEventId }) => afterEventId),
    );
    expect(new Set(before.filter((eventId) => eventId !== undefined)).size).toBe(45);
    for (const userId of userIds) {
      const address = await wallets.module.wallets.addressOf(userId, defaultMarketplaceId);
      expect((await testbed.network.account(address))?.balances).toEqual({ XLM: starterUnits, USDC: 0n });
    }
    const [row] = await testbed.database.asAdmin<{ count: bigint }>(
      `select count(*) from escrow_adapter.ledger_transactions where step = 'activate' and state = 'LANDED'`,
    );
    expect(Number(row?.count)).toBeLessThan(20);
  });

  it('is activated even if a third party created the account, and that payment is a deposit', async () => {
    const offline = await testbed.start({ LEDGER_NETWORK_URL: 'http://127.0.0.1:9' });
    await wallets.stop();
    const userId = testbed.newUserId();
    const response = await offline.get(`/users/${userId}/wallet/deposit`);
    expect([response.status, response.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await offline.stop();
    const address = await storedAddress(userId);
    await testbed.open(address, '7');
    wallets = await testbed.start();
    expect(await wallets.module.wallets.addressOf(userId, defaultMarketplaceId)).toBe(address);
    expect((await testbed.network.account(address))?.balances).toEqual({ XLM: starterUnits + 70_000_000n, USDC: 0n });
    await eventually(() => {
      expect(publishedAbout(userId, 'balance.deposit_received')).toMatchObject([
        { payload: { amount: '7.00', currency: 'XLM' } },
      ]);
    });
  });

  it('belongs to a user of one marketplace', async () => {
    const userId = testbed.newUserId();
    await wallets.module.wallets.addressOf(userId, defaultMarketplaceId);
    await expect(wallets.module.wallets.addressOf(userId, 'mkt_other')).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });
});

describe('GET /users/{userId}/wallet', () => {
  it('200 with the balances on the network', async () => {
    const userId = testbed.newUserId();
    const address = await wallets.module.wallets.addressOf(userId, defaultMarketplaceId);
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
          { asset: 'XLM', balance: '5.00' },
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
});

describe('GET /users/{userId}/wallet/transactions', () => {
  it('200 lists the newest first, page by page', async () => {
    const userId = testbed.newUserId();
    const address = await wallets.module.wallets.addressOf(userId, defaultMarketplaceId);
    testbed.setOwned(userId, '6.00'); // so that it is not swept
    for (const amount of ['1', '2', '3']) await testbed.pay(address, 'USDC', amount);
    const first = (await wallets.get(`/users/${userId}/wallet/transactions?limit=2`)).data;
    const second = (await wallets.get(`/users/${userId}/wallet/transactions?limit=2&cursor=${first.nextCursor}`)).data;
    expect([...first.data, ...second.data]).toMatchObject([
      { type: 'payment', direction: 'IN', amount: '3.00', asset: 'USDC', to: address, successful: true },
      { amount: '2.00' },
      { amount: '1.00' },
      { type: 'create_account', direction: 'IN', amount: '5.00', asset: 'XLM' },
    ]);
    expect([first.hasMore, second.nextCursor]).toEqual([true, null]);
  });

  it('400 VALIDATION_ERROR for an invalid cursor', async () => {
    const response = await wallets.get(`/users/${testbed.newUserId()}/wallet/transactions?cursor=abc`);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
