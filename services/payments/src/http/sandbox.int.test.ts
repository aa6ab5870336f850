import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from '../testing/running-payments.js';
import { aTopup, statusOf } from '../testing/topups.js';
import { aWithdrawal, commit } from '../testing/withdrawals.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

const key = { type: 'api_key', id: 'key_1', scopes: ['write'] } as const;
const stranger = { ...key, marketplaceId: 'mkt_01JB2M3N4P5Q6R7S8T9V0W1X2Y' } as const;
const system = { type: 'system', id: 'gateway', scopes: [] } as const;

describe('POST /sandbox/topups/{id}/…', () => {
  it('200 confirm pays the top-up of the own marketplace and credits it', async () => {
    const { id } = await aTopup(payments);
    const { status, data } = await payments.post(`/sandbox/topups/${id}/confirm`, {}, key);
    expect([status, data.id, data.status]).toEqual([200, id, 'TOPUP_SUCCEEDED']);
    expect(await payments.post(`/sandbox/topups/${id}/confirm`, {}, key)).toMatchObject({ status: 409, code: 'INVALID_STATE' });
  });

  it('200 fail and cancel end the top-up', async () => {
    const [failed, canceled] = [await aTopup(payments), await aTopup(payments)];
    const response = await payments.post(`/sandbox/topups/${failed.id}/fail`, { reason: 'card declined' }, key);
    expect(response.data).toMatchObject({ status: 'TOPUP_FAILED' });
    expect((await payments.post(`/sandbox/topups/${canceled.id}/cancel`, {}, key)).data).toMatchObject({
      status: 'TOPUP_CANCELED',
    });
  });

  it('404 TOPUP_NOT_FOUND for the top-up of another marketplace, which stays as it is', async () => {
    const { id, status } = await aTopup(payments);
    for (const move of ['confirm', 'fail', 'cancel'])
      expect(await payments.post(`/sandbox/topups/${id}/${move}`, {}, stranger)).toMatchObject({
        status: 404,
        code: 'TOPUP_NOT_FOUND',
      });
    expect(await statusOf(payments, id)).toBe(status);
  });

  it.each([{ amount: '0.00' }, { amount: 5 }, { payerEmail: 'nobody' }, { force: true }])(
    '400 VALIDATION_ERROR for %j',
    async (body) => {
      const { id } = await aTopup(payments);
      expect((await payments.post(`/sandbox/topups/${id}/confirm`, body, key)).status).toBe(400);
    },
  );
});

describe('POST /sandbox/withdrawals/{id}/…', () => {
  it('200 require-action, resume and complete move the payout; 404 for another marketplace', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    const move = (name: string, by: typeof key | typeof stranger = key) =>
      payments.post(`/sandbox/withdrawals/${id}/${name}`, {}, by);
    expect(await move('complete', stranger)).toMatchObject({ status: 404, code: 'WITHDRAWAL_NOT_FOUND' });
    expect((await move('require-action')).data).toMatchObject({ status: 'WITHDRAWAL_PENDING_USER_ACTION' });
    expect((await move('resume')).status).toBe(200);
    await eventually(async () =>
      expect((await move('complete')).data.status ?? 'WITHDRAWAL_COMPLETED').toBe('WITHDRAWAL_COMPLETED'),
    );
  });
});

describe('what operators read of payments', () => {
  it('200 has the controls of the provider, and the newest report of each currency', async () => {
    const controls = (await payments.get('/internal/provider-controls', system)).data;
    expect(controls).toMatchObject({
      isStopped: false,
      providers: [{ name: 'payment-provider', kind: 'sandbox', breaker: 'closed', budget: null }],
      caps: [{ name: 'payouts USD', spent: expect.any(String) }],
    });
    await payments.post('/reconciliation/reports', {});
    const second = (await payments.post('/reconciliation/reports', {})).data as { readonly reports: readonly object[] };
    const { data } = await payments.get('/internal/reconciliation/latest-reports', system);
    expect(data).toEqual(second);
    expect((await payments.get('/internal/reconciliation/latest-reports', key)).status).toBe(403);
  });
});
