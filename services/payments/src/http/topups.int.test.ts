import { randomUUID } from 'node:crypto';
import type { TopupRecord } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from '../testing/running-payments.js';
import { aTopup, atProvider, payinsOf, typesOf } from '../testing/topups.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments({ TOPUPS_PER_MINUTE_MAX: '40' });
});

afterAll(() => payments.stop());

const refresh = (id: string) => payments.post(`/topups/${id}/refresh`, {});
const cancel = (id: string, body: unknown = {}) => payments.post(`/topups/${id}/cancel`, body);

describe('POST /topups', () => {
  it('201 with the confirmation page, once the provider has the pay-in', async () => {
    const userId = await payments.aLinkedUser();
    const given = { description: 'Wallet', metadata: { cart: '7' }, returnUrl: 'https://shop.example/paid' };
    const topup = await aTopup(payments, { userId, ...given });
    expect(topup).toEqual({
      id: expect.stringMatching(/^topup_/),
      userId,
      amount: '50.00',
      currency: 'USD',
      status: 'TOPUP_AWAITING_USER_CONFIRMATION',
      description: 'Wallet',
      providerPayinId: expect.any(String),
      confirmationUri: expect.stringContaining('/checkout/'),
      expiresAt: expect.any(String),
      failureReason: null,
      errorCode: null,
      metadata: { cart: '7' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(Date.parse(topup.expiresAt ?? '') - Date.parse(topup.createdAt)).toBe(15 * 24 * 3_600_000);
    expect(await payinsOf(payments, topup.id)).toMatchObject([{ id: topup.providerPayinId, amount: 50 }]);
  });

  it('201 with the first top-up for a repeated operation', async () => {
    const userId = await payments.aLinkedUser();
    const operationId = randomUUID();
    const create = () => payments.post('/topups', { userId, amount: '7.00' }, { operationId });
    const [one, other] = await Promise.all([create(), create()]);
    const later = await create();
    expect(one.status).toBe(201);
    expect([other.data, later.data]).toEqual([one.data, one.data]);
    expect((await payments.get(`/topups?userId=${userId}`)).data.data).toHaveLength(1);
  });

  it.each([
    [
      'amount',
      [undefined, null, 50, 0, -1, '0', '0.00', '-1.00', '1.001', '1e3', '+1', ' 1', '01.00', '', '1,00', 'NaN', [], {}, true],
    ],
    ['amount', ['1000000000000000']],
    ['userId', [undefined, null, 7, '', 'no id', {}]],
    ['currency', ['EUR', 'USDC', 'XLM', 7, 'usd']],
    ['description', [7, {}, 'x'.repeat(5_001)]],
    ['metadata', ['text', 7, []]],
    [
      'returnUrl',
      [
        7,
        'shop.example',
        '/paid',
        'javascript:alert(1)',
        'ftp://shop.example/',
        'data:text/html,x',
        `https://a.example/${'x'.repeat(2_050)}`,
      ],
    ],
    ['cancelUrl', ['javascript:alert(1)', 'file:///etc/passwd', 'https://']],
    ['unknown', [1]],
  ])('400 VALIDATION_ERROR for a wrong %s', async (field, values) => {
    const userId = await payments.aLinkedUser();
    for (const value of values) {
      const { status, code } = await payments.post('/topups', { userId, amount: '50.00', [field]: value });
      expect({ value, status, code }).toEqual({ value, status: 400, code: 'VALIDATION_ERROR' });
    }
    expect((await payments.get(`/topups?userId=${userId}`)).data.data).toEqual([]);
  });

  it('429 RATE_LIMITED with Retry-After, exact for parallel requests', async () => {
    const userId = await payments.aLinkedUser();
    const create = () => payments.post('/topups', { userId, amount: '1.00' });
    const responses = await Promise.all(Array.from({ length: 45 }, create));
    const refused = responses.filter(({ status }) => status === 429);
    expect([responses.length - refused.length, refused.length]).toEqual([40, 5]);
    expect(refused[0]?.details).toMatchObject({ limit: 40, windowSeconds: 60, retryAfter: expect.any(Number) });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('GET /topups', () => {
  it('200 lists newest first, by user and status, in pages', async () => {
    const userId = await payments.aLinkedUser();
    const created: TopupRecord[] = [];
    for (const amount of ['1.00', '2.00', '3.00']) created.unshift(await aTopup(payments, { userId, amount }));
    const first = (await payments.get(`/topups?userId=${userId}&limit=2`)).data;
    const second = (await payments.get(`/topups?userId=${userId}&limit=2&cursor=${first.nextCursor}`)).data;
    expect([...first.data, ...second.data]).toEqual(created);
    const ofStatus = `/topups?userId=${userId}&status=TOPUP_SUCCEEDED`;
    expect((await payments.get(ofStatus)).data.data).toEqual([]);
    expect((await payments.get(ofStatus, { marketplaceId: 'mkt_other' })).data.data).toEqual([]);
    expect((await payments.get('/topups?status=PAID')).code).toBe('VALIDATION_ERROR');
  });

  it('404 TOPUP_NOT_FOUND for unknown and malformed ids and another marketplace', async () => {
    const { id } = await aTopup(payments);
    const foreign = { marketplaceId: 'mkt_other' } as const;
    for (const path of ['', '/refresh', '/cancel']) {
      const call = (topupId: string, by = {}) =>
        path === '' ? payments.get(`/topups/${topupId}`, by) : payments.post(`/topups/${topupId}${path}`, {}, by);
      const codes = [await call(id, foreign), await call(payments.newId('topup')), await call('nothing')].map(({ code }) => code);
      expect(codes).toEqual(['TOPUP_NOT_FOUND', 'TOPUP_NOT_FOUND', 'TOPUP_NOT_FOUND']);
    }
  });
});

describe('POST /topups/{id}/refresh', () => {
  it('200 credits a confirmed payment, with every event and audit entry', async () => {
    const topup = await aTopup(payments);
    const { id, userId, providerPayinId } = topup;
    await atProvider(payments, topup, 'confirm');
    const { status, data } = await refresh(id);
    expect([status, data.status]).toEqual([200, 'TOPUP_SUCCEEDED']);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '50.00', reserved: '0.00' });
    const credited = { topupId: id, userId, amount: '50.00', currency: 'USD', newAvailableBalance: '50.00', providerPayinId };
    await eventually(() => expect(payments.auditsOf(id)).toHaveLength(4));
    await eventually(() =>
      expect(payments.eventsOf(id).map(({ type, payload }) => ({ type, payload }))).toEqual(
        expect.arrayContaining([
          { type: 'topup.processing', payload: expect.objectContaining({ topupId: id, providerPayinId }) },
          { type: 'topup.succeeded', payload: expect.objectContaining(credited) },
        ]),
      ),
    );
    const actions = payments.auditsOf(id).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['TOPUP_PROCESSING', 'TOPUP_SUCCEEDED']));
    expect((await refresh(id)).data).toEqual(data);
  });
});

describe('POST /topups/{id}/cancel', () => {
  it('200 cancels at the provider first', async () => {
    const topup = await aTopup(payments);
    const { status, data } = await cancel(topup.id, { reason: 'Changed my mind', canceledBy: 'support-7' });
    expect([status, data.status]).toEqual([200, 'TOPUP_CANCELED']);
    expect(await payinsOf(payments, topup.id)).toMatchObject([{ status: 'CANCELED' }]);
    await eventually(() => expect(payments.auditsOf(topup.id)).toHaveLength(3));
    await eventually(() =>
      expect(payments.eventsOf(topup.id)[2]).toMatchObject({
        type: 'topup.canceled',
        payload: { topupId: topup.id, userId: topup.userId, amount: '50.00', canceledBy: 'support-7', reason: 'Changed my mind' },
      }),
    );
    await eventually(() =>
      expect(payments.auditsOf(topup.id)[2]).toMatchObject({
        action: 'TOPUP_CANCELED',
        actorId: 'master',
        reason: 'Changed my mind',
      }),
    );
  });

  it('200 for parallel requests, with one cancellation', async () => {
    const { id } = await aTopup(payments);
    const responses = await Promise.all(Array.from({ length: 6 }, () => cancel(id)));
    // A request that comes after the cancellation finds the top-up canceled.
    const outcomes = responses.map(({ status, data, details }) => [status, data?.status ?? details['currentStatus']]);
    for (const [status, shown] of outcomes)
      expect([[200, 409].includes(Number(status)), shown]).toEqual([true, 'TOPUP_CANCELED']);
    expect(outcomes.map(([status]) => status)).toContain(200);
    await eventually(() => expect(typesOf(payments, id)).toContain('topup.canceled'));
    expect(typesOf(payments, id).filter((type) => type === 'topup.canceled')).toHaveLength(1);
  });

  it('400 VALIDATION_ERROR for wrong fields', async () => {
    const { id } = await aTopup(payments);
    for (const body of [{ reason: 7 }, { canceledBy: '' }, { reason: 'x'.repeat(1_001) }, { unknown: 1 }])
      expect((await cancel(id, body)).code).toBe('VALIDATION_ERROR');
  });
});
