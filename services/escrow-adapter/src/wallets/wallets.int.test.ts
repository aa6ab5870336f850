import { defaultMarketplaceId } from '@holdfast/shared/ids';
import { eventually } from '@holdfast/shared/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/shared/testing/servers';
import { starterUnits } from './teller/activation.js';
import { aWalletWorld, type RunningWallets, type WalletWorld } from './testing/running-wallets.js';

let world: WalletWorld;
let wallets: RunningWallets;

beforeAll(async () => {
  world = await aWalletWorld();
  wallets = await world.start();
}, serverStartTimeoutMs);

afterAll(async () => {
  await world.end();
});

function toldOf(userId: string, type: string) {
  return world.heard.filter((message) => message.aggregateId === userId && message.type === type);
}

describe('the treasury', () => {
  it('exists after the start, with its channels and the platform, all of which trust USDC', async () => {
    const { treasuryAddress, treasuryChannelCount, platformAddress } = wallets.part.wallets;
    expect(treasuryChannelCount).toBe(2);
    for (const address of [treasuryAddress(0), treasuryAddress(1)]) {
      const account = await world.network.account(address);
      expect(account?.balances.USDC).toBeGreaterThan(1_000_000n * 10_000_000n);
      expect(account?.balances.XLM).toBeGreaterThan(1_000n * 10_000_000n);
    }
    expect((await world.network.account(platformAddress()))?.balances.USDC).toBe(0n);
  });
});

describe('a wallet', () => {
  it('is made once however many ask at the same time, in two processes, and told of once', async () => {
    const other = await world.start();
    const userId = world.newUserId();
    const asks = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? wallets : other).part.wallets.addressOf(userId, defaultMarketplaceId),
    );
    const addresses = new Set(await Promise.all(asks));
    expect(addresses.size).toBe(1);
    const [ledgerAddress] = addresses;
    await eventually(() => {
      expect(toldOf(userId, 'user.ledger_linked')).toMatchObject([
        { aggregatePart: 'wallet', aggregateVersion: 1, payload: { userId, ledgerAddress } },
      ]);
    });
    expect(await world.network.account(ledgerAddress ?? '')).toMatchObject({ balances: { XLM: starterUnits, USDC: 0n } });
    await other.stop();
  });

  it('is made and activated when its user was heard of, many in few transactions', async () => {
    const userIds = Array.from({ length: 45 }, world.newUserId);
    await Promise.all(userIds.map(wallets.hear));
    await eventually(() => {
      expect(userIds.filter((userId) => toldOf(userId, 'user.ledger_linked').length === 1)).toHaveLength(45);
    });
    const before = userIds.flatMap((userId) => toldOf(userId, 'user.ledger_linked').map(({ afterEventId }) => afterEventId));
    expect(new Set(before.filter((eventId) => eventId !== undefined)).size).toBe(45);
    for (const userId of userIds) {
      const address = await wallets.part.wallets.addressOf(userId, defaultMarketplaceId);
      expect((await world.network.account(address))?.balances).toEqual({ XLM: starterUnits, USDC: 0n });
    }
    const [row] = await world.database.asAdmin<{ count: bigint }>(
      `select count(*) from escrow_adapter.ledger_transactions where step = 'activate' and state = 'LANDED'`,
    );
    expect(Number(row?.count)).toBeLessThan(20);
  });

  it('is activated also where somebody paid into its address first, and what they paid is a deposit', async () => {
    const cutOff = await world.start({ LEDGER_NETWORK_URL: 'http://127.0.0.1:9' });
    await wallets.stop();
    const userId = world.newUserId();
    const { data } = await cutOff.get(`/users/${userId}/wallet/deposit`);
    await cutOff.stop();
    await world.open(data.address, '7');
    wallets = await world.start();
    expect(await wallets.part.wallets.addressOf(userId, defaultMarketplaceId)).toBe(data.address);
    expect((await world.network.account(data.address))?.balances).toEqual({ XLM: starterUnits + 70_000_000n, USDC: 0n });
    await eventually(() => {
      expect(toldOf(userId, 'balance.deposit_received')).toMatchObject([{ payload: { amount: '7.00', currency: 'XLM' } }]);
    });
  });

  it('is that of a user of one marketplace', async () => {
    const userId = world.newUserId();
    await wallets.part.wallets.addressOf(userId, defaultMarketplaceId);
    await expect(wallets.part.wallets.addressOf(userId, 'mkt_other')).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });
});

describe('GET /users/{userId}/wallet', () => {
  it('200 shows what the network holds for the user', async () => {
    const userId = world.newUserId();
    const address = await wallets.part.wallets.addressOf(userId, defaultMarketplaceId);
    await world.pay(address, 'USDC', '12.5');
    const answer = await wallets.get(`/users/${userId}/wallet`);
    expect([answer.status, answer.data]).toEqual([
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

  it('404 USER_NOT_FOUND for somebody nobody knows', async () => {
    const answer = await wallets.get('/users/usr_unknown1/wallet');
    expect([answer.status, answer.code]).toEqual([404, 'USER_NOT_FOUND']);
  });
});

describe('GET /users/{userId}/wallet/deposit', () => {
  it('200 says where to send what', async () => {
    const { data } = await wallets.get(`/users/${world.newUserId()}/wallet/deposit`);
    const { usdcIssuer } = world.sandbox;
    expect(data).toMatchObject({ method: 'ledger_payment', asset: { code: 'USDC', issuer: usdcIssuer }, network: 'sandbox' });
  });
});

describe('GET /users/{userId}/wallet/transactions', () => {
  it('200 lists the newest first, page by page', async () => {
    const userId = world.newUserId();
    const address = await wallets.part.wallets.addressOf(userId, defaultMarketplaceId);
    world.setOwned(userId, '6.00'); // nothing of it is swept meanwhile
    for (const amount of ['1', '2', '3']) await world.pay(address, 'USDC', amount);
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

  it('400 VALIDATION_ERROR for a cursor that is none', async () => {
    const answer = await wallets.get(`/users/${world.newUserId()}/wallet/transactions?cursor=abc`);
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
