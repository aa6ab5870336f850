import * as message from '@holdfast/contracts/messages';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

const service = { type: 'system', id: 'identity', scopes: [] } as const;

describe('a user that the ledger does not know', () => {
  it.each([
    ['a balance', (path: string) => ledger.get(path)],
    ['a list', (path: string) => ledger.get(`${path}/transactions`)],
    ['a credit', (path: string) => ledger.post(`${path}/credit`, { amount: '1.00' })],
  ])('200 for %s if identity knows the user, which is fetched once', async (_, request) => {
    const userId = ledger.newUserId();
    ledger.identity.addUser(userId);
    for (let round = 0; round < 2; round += 1) expect((await request(`/users/${userId}/balance`)).status).toBe(200);
    expect(ledger.identity.requestCount(userId)).toBe(1);
  });

  it('404 RESERVATION_NOT_FOUND, not USER_NOT_FOUND, if identity knows the user', async () => {
    const userId = ledger.newUserId();
    ledger.identity.addUser(userId);
    const response = await ledger.post(`/users/${userId}/balance/cancel-reservation`, { orderId: 'ord_1' });
    expect([response.status, response.code]).toEqual([404, 'RESERVATION_NOT_FOUND']);
  });

  it('404 USER_NOT_FOUND if identity does not know the user; the next request fetches it again', async () => {
    const userId = ledger.newUserId();
    expect((await ledger.get(`/users/${userId}/balance`)).code).toBe('USER_NOT_FOUND');
    expect((await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' })).code).toBe('USER_NOT_FOUND');
    ledger.identity.addUser(userId);
    expect((await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' })).status).toBe(200);
  });

  it("404 USER_NOT_FOUND for another marketplace's user, before and after the ledger knows it", async () => {
    const userId = ledger.newUserId();
    ledger.identity.addUser(userId);
    const stranger = { marketplaceId: 'mkt_other' } as const;
    const request = async () => (await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' }, stranger)).code;
    expect(await request()).toBe('USER_NOT_FOUND');
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '0.00' });
    expect(await request()).toBe('USER_NOT_FOUND');
  });

  it('422 USER_NOT_ACTIVE if identity has the user as suspended', async () => {
    const userId = ledger.newUserId();
    ledger.identity.addUser(userId, { status: 'SUSPENDED', version: 2 });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' });
    expect((await ledger.post(`/users/${userId}/balance/reserve`, { amount: '1.00' })).code).toBe('USER_NOT_ACTIVE');
    await ledger.publish(message.userCreated, userId, { userId, externalUserId: userId, type: 'BOTH', status: 'ACTIVE' });
    await ledger.idle();
    expect((await ledger.post(`/users/${userId}/balance/reserve`, { amount: '1.00' })).code).toBe('USER_NOT_ACTIVE');
  });

  it('503 SERVICE_UNAVAILABLE while identity is down; 200 for known users', async () => {
    const [known, unknown] = [await ledger.aUser(), ledger.newUserId()];
    ledger.identity.addUser(unknown);
    ledger.identity.setDown(true);
    const response = await ledger.get(`/users/${unknown}/balance`);
    expect([response.status, response.code, Number(response.headers['retry-after']) > 0]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      true,
    ]);
    expect((await ledger.post(`/users/${known}/balance/credit`, { amount: '1.00' })).status).toBe(200);
    ledger.identity.setDown(false);
    expect((await ledger.get(`/users/${unknown}/balance`)).status).toBe(200);
  });

  it('is fetched for a message, too', async () => {
    const userId = ledger.newUserId();
    ledger.identity.addUser(userId);
    await ledger.publish(message.topupCreditRequested, 'topup_1', {
      topupId: 'topup_1',
      userId,
      amount: '5.00',
      currency: 'USD',
    });
    expect(await ledger.reply('balance.topup_credited', 'topup_1')).toMatchObject({ newAvailableBalance: '5.00' });
  });
});

describe('internal routes', () => {
  it('200 with the balances of many users, zero without an account', async () => {
    const [rich, poor, unknown] = [await ledger.aUser({ available: '7.50' }), await ledger.aUser(), ledger.newUserId()];
    await ledger.post(`/users/${rich}/balance/reserve`, { amount: '2.50' });
    const body = { userIds: [poor, rich, unknown], currency: 'USD' };
    const nothing = { available: '0.00', reserved: '0.00', total: '0.00', currency: 'USD' };
    expect((await ledger.post('/internal/balances', body, service)).data).toEqual({
      balances: [
        { userId: poor, ...nothing },
        { userId: rich, available: '5.00', reserved: '2.50', total: '7.50', currency: 'USD' },
        { userId: unknown, ...nothing },
      ],
    });
  });

  it('200 with the consumed version of a user, zero if there is none', async () => {
    const userId = await ledger.aUser();
    const version = async (): Promise<number> =>
      (await ledger.get(`/internal/noted-users/${userId}`, service)).data.version as number;
    expect(await version()).toBe(1);
    await ledger.publishUserStatus(userId, 'SUSPENDED', 5);
    expect(await version()).toBe(5);
    expect((await ledger.get(`/internal/noted-users/${ledger.newUserId()}`, service)).data).toEqual({ version: 0 });
  });

  it('403 INSUFFICIENT_SCOPE for a caller that is not a service', async () => {
    const responses = [
      await ledger.post('/internal/balances', { userIds: ['usr_1'], currency: 'USD' }),
      await ledger.get('/internal/noted-users/usr_1'),
    ];
    expect(responses.map(({ status, code }) => [status, code])).toEqual(responses.map(() => [403, 'INSUFFICIENT_SCOPE']));
  });
});
