import { randomUUID } from 'node:crypto';
import type { TopupRecord } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from '../testing/running-payments.js';
import { aTopup, atProvider, payinsOf, statusOf, typesOf } from '../testing/topups.js';

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

  it('publishes topup.created and topup.confirmation_required, and audits both states', async () => {
    const { id, userId, confirmationUri } = await aTopup(payments);
    await eventually(() => expect(payments.auditsOf(id)).toHaveLength(2));
    await eventually(() =>
      expect(payments.eventsOf(id)).toMatchObject([
        { type: 'topup.created', aggregateType: 'TopUp', payload: { userId, amount: '50.00', currency: 'USD' } },
        { type: 'topup.confirmation_required', payload: { topupId: id, confirmationUri } },
      ]),
    );
    await eventually(() =>
      expect(payments.auditsOf(id)).toMatchObject([
        { action: 'TOPUP_CREATED', resourceType: 'TopUp', relatedIds: [userId], actorId: 'master' },
        { action: 'TOPUP_AWAITING_USER_CONFIRMATION', actorType: 'system' },
      ]),
    );
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

  it('409 IDEMPOTENCY_KEY_REUSED for a repeated operation with another amount', async () => {
    const userId = await payments.aLinkedUser();
    const operationId = randomUUID();
    await payments.post('/topups', { userId, amount: '7.00' }, { operationId });
    const { code } = await payments.post('/topups', { userId, amount: '8.00' }, { operationId });
    expect(code).toBe('IDEMPOTENCY_KEY_REUSED');
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

  it('404 USER_NOT_FOUND for unknown users and those of another marketplace', async () => {
    const foreign = payments.aUser({ marketplaceId: 'mkt_other' });
    for (const userId of [payments.newId('usr'), foreign, 'ord_1']) {
      expect((await payments.post('/topups', { userId, amount: '50.00' })).code).toBe('USER_NOT_FOUND');
    }
  });

  it('422 USER_NOT_ACTIVE for a suspended user, before the account is checked', async () => {
    const { status, code } = await payments.post('/topups', { userId: payments.aUser({ status: 'SUSPENDED' }), amount: '0.50' });
    expect({ status, code }).toEqual({ status: 422, code: 'USER_NOT_ACTIVE' });
  });

  it('422 PAYMENT_ACCOUNT_NOT_LINKED, before the limits are checked', async () => {
    const { status, code } = await payments.post('/topups', { userId: payments.aUser(), amount: '0.50' });
    expect({ status, code }).toEqual({ status: 422, code: 'PAYMENT_ACCOUNT_NOT_LINKED' });
  });

  it.each(['0.01', '0.99', '10000.01', '99999999999.99'])('422 LIMIT_EXCEEDED for %s', async (amount) => {
    const userId = await payments.aLinkedUser();
    const { status, code, details } = await payments.post('/topups', { userId, amount });
    expect({ status, code }).toEqual({ status: 422, code: 'LIMIT_EXCEEDED' });
    expect(details).toMatchObject({ min: '1.00', max: '10000.00', currency: 'USD' });
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

  it('200 with TOPUP_FAILED and the reason of a failed payment', async () => {
    const topup = await aTopup(payments);
    await atProvider(payments, topup, 'fail');
    const { data } = await refresh(topup.id);
    expect(data).toMatchObject({ status: 'TOPUP_FAILED', failureReason: 'The card was declined.' });
    await eventually(() => expect(payments.eventsOf(topup.id)).toHaveLength(3));
    const { userId, providerPayinId } = topup;
    await eventually(() =>
      expect(payments.eventsOf(topup.id)[2]).toMatchObject({
        type: 'topup.failed',
        payload: { topupId: topup.id, userId, amount: '50.00', reason: 'The card was declined.', providerPayinId },
      }),
    );
  });

  it('200 with TOPUP_CANCELED by the user who canceled at the provider', async () => {
    const topup = await aTopup(payments);
    await atProvider(payments, topup, 'cancel');
    expect((await refresh(topup.id)).data.status).toBe('TOPUP_CANCELED');
    await eventually(() => expect(payments.eventsOf(topup.id)).toHaveLength(3));
    await eventually(() =>
      expect(payments.eventsOf(topup.id)[2]).toMatchObject({ type: 'topup.canceled', payload: { canceledBy: topup.userId } }),
    );
  });

  it('200 without a change while the user has not confirmed', async () => {
    const topup = await aTopup(payments);
    expect((await refresh(topup.id)).data).toEqual(topup);
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

  it('409 INVALID_STATE once it is canceled', async () => {
    const { id } = await aTopup(payments);
    await cancel(id);
    const { status, code, details } = await cancel(id);
    expect({ status, code }).toEqual({ status: 409, code: 'INVALID_STATE' });
    expect(details).toMatchObject({ currentStatus: 'TOPUP_CANCELED' });
  });

  it('409 INVALID_STATE if the user was faster, and the payment is credited', async () => {
    const topup = await aTopup(payments);
    await atProvider(payments, topup, 'confirm');
    expect((await cancel(topup.id)).code).toBe('INVALID_STATE');
    await eventually(async () => expect(await statusOf(payments, topup.id)).toBe('TOPUP_SUCCEEDED'));
    expect(payments.ledger.balanceOf(topup.userId).available).toBe('50.00');
  });

  it('400 VALIDATION_ERROR for wrong fields', async () => {
    const { id } = await aTopup(payments);
    for (const body of [{ reason: 7 }, { canceledBy: '' }, { reason: 'x'.repeat(1_001) }, { unknown: 1 }])
      expect((await cancel(id, body)).code).toBe('VALIDATION_ERROR');
  });
});
