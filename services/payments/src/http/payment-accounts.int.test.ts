import { startPayments, type RunningPayments } from '../testing/running-payments.js';
import { eventually } from '@holdfast/testing/eventually';
import { anOpenTopup, receivePayin } from '../testing/reconciliation.js';
import { clearFaults, setFault } from '../testing/topups.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments();
});

afterEach(() => clearFaults(payments));
afterAll(() => payments.stop());

const link = (userId: string, body: unknown, by = {}) => payments.post(`/users/${userId}/payment-account/link`, body, by);

describe('POST /users/{id}/payment-account/link', () => {
  it('200 links the account of an e-mail address, with its event and audit entry', async () => {
    const userId = payments.aUser();
    const { status, data } = await link(userId, { email: 'ada@example.com' });
    expect(status).toBe(200);
    expect(data).toEqual({
      userId,
      paymentAccountUserId: expect.any(String),
      linkedAt: expect.any(String),
      eligible: true,
      email: 'ada@example.com',
    });
    const { paymentAccountUserId, linkedAt } = data;
    await eventually(() => expect(payments.auditsOf(userId)).toHaveLength(1));
    await eventually(() =>
      expect(payments.eventsOf(userId)).toMatchObject([
        {
          type: 'user.payment_account_linked',
          aggregateType: 'User',
          aggregatePart: 'payments',
          payload: { userId, paymentAccountUserId, linkedAt },
        },
      ]),
    );
    await eventually(() =>
      expect(payments.auditsOf(userId)).toMatchObject([
        { action: 'PAYMENT_ACCOUNT_LINKED', resourceType: 'User', actorId: 'master' },
      ]),
    );
  });

  it('200 with the first link for a repeat, also without the provider and in parallel', async () => {
    const userId = payments.aUser();
    const email = `${userId}@example.com`;
    const responses = await Promise.all(Array.from({ length: 8 }, () => link(userId, { email })));
    const [first] = responses;
    expect(responses.map(({ status, data }) => ({ status, data }))).toEqual(
      responses.map(() => ({ status: 200, data: first?.data })),
    );
    await setFault(payments, { operation: 'read', kind: 'error-before-effect' });
    expect((await link(userId, { email: email.toUpperCase() })).data).toEqual(first?.data);
    expect((await link(userId, { paymentAccountUserId: first?.data.paymentAccountUserId })).data).toEqual(first?.data);
    await eventually(() => expect(payments.eventsOf(userId)).toHaveLength(1));
  });

  it.each([
    ['unknown', { email: 'unknown@example.com' }],
    ['inactive', { email: 'inactive@example.com' }],
    ['unverified', { email: 'unverified@example.com' }],
    ['mismatch', { paymentAccountUserId: 'another' }],
  ])('422 PAYMENT_ACCOUNT_INVALID: %s', async (reason, body) => {
    const userId = payments.aUser({ email: 'ada@example.com' });
    const { status, code, details } = await link(userId, body);
    expect({ status, code, details }).toMatchObject({ status: 422, code: 'PAYMENT_ACCOUNT_INVALID', details: { reason } });
    expect(payments.eventsOf(userId)).toEqual([]);
  });

  it('404 USER_NOT_FOUND for unknown users and users of another marketplace', async () => {
    const email = 'ada@example.com';
    expect((await link(payments.newId('usr'), { email })).code).toBe('USER_NOT_FOUND');
    expect((await link(payments.aUser(), { email }, { marketplaceId: 'mkt_other' })).code).toBe('USER_NOT_FOUND');
    expect((await link('nobody', { email })).code).toBe('USER_NOT_FOUND');
  });

  it.each([
    {},
    { email: 'ada@example.com', paymentAccountUserId: 'account-1' },
    { email: 'no address' },
    { email: 7 },
    { paymentAccountUserId: '' },
    { paymentAccountUserId: 7 },
    { email: 'ada@example.com', unknown: 1 },
  ])('400 VALIDATION_ERROR %j', async (body) => {
    expect((await link(payments.aUser(), body)).code).toBe('VALIDATION_ERROR');
  });

  it('503 while the provider fails, and links nothing', async () => {
    await setFault(payments, { operation: 'read', kind: 'error-before-effect' });
    const userId = payments.aUser();
    expect((await link(userId, { email: 'ada@example.com' })).status).toBe(503);
    await clearFaults(payments);
    expect((await link(userId, { email: 'ada@example.com' })).status).toBe(200);
  });
});

it('GET /internal/noted-users/{id} 200 with version 0 for a user without an event yet', async () => {
  const response = await payments.get(`/internal/noted-users/${payments.aUser()}`, { type: 'system' });
  expect([response.status, response.data]).toEqual([200, { version: 0 }]);
});

describe('POST /internal/users/{userId}/refresh-payments', () => {
  it('200 applies what the provider says about open payments of the user', async () => {
    const { payinId, userId } = await anOpenTopup(payments);
    await receivePayin(payments, payinId);
    const refresh = () => payments.post(`/internal/users/${userId}/refresh-payments`, undefined, { type: 'system' });
    const { refreshed, credited } = (await refresh()).data;
    expect(payments.ledger.balanceOf(userId).available).toBe('30.00');
    expect({ refreshed, credited }).toEqual({
      refreshed: 1,
      credited: [{ topupId: expect.stringMatching(/^topup_/) as string, amount: '30.00', currency: 'USD' }],
    });
    expect((await refresh()).data).toEqual({ refreshed: 0, credited: [] });
  });
});
