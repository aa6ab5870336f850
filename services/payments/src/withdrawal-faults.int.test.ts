import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aWithdrawal, commit, movePayout, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments({ SETTLEMENT_TIMEOUT_MS: '30000' }, { providerTimeoutMs: 1_000 });
});
afterEach(async () => {
  await fetch(`${payments.sandbox.controlUrl}/faults`, { method: 'DELETE' });
});
afterAll(() => payments.stop());

const faultAt = (operation: string, kind: string, times = 1) =>
  payments.control('/faults', { target: 'payment-provider', operation, kind, times });
const statusOf = async (id: string): Promise<string> => (await payments.get(`/withdrawals/${id}`)).data.status as string;

describe('a fault of the payment provider', () => {
  it.each([
    ['create-payout', 'error-before-effect'],
    ['create-payout', 'error-after-effect'],
    ['create-payout', 'rate-limited'],
    ['create-payout', 'malformed'],
    ['create-payout', 'timeout-after-effect'],
    ['commit', 'error-before-effect'],
    ['commit', 'error-after-effect'],
    ['commit', 'rate-limited'],
    ['commit', 'timeout-after-effect'],
    ['read', 'error-before-effect'],
    ['read', 'malformed'],
  ])(
    'at %s: %s, ends in one payout',
    async (operation, kind) => {
      const id = await aWithdrawal(payments);
      await faultAt(operation, kind);
      const { status, data } = await commit(payments, id);
      expect([status, data.status]).toEqual([200, 'WITHDRAWAL_PENDING']);
      expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'COMMITTED', amount: 40 }]);
      await movePayout(payments, id, 'complete');
      expect((await payments.post(`/withdrawals/${id}/refresh`, {})).data).toMatchObject({ status: 'WITHDRAWAL_COMPLETED' });
      expect(payments.ledger.balanceOf(data.userId)).toEqual({ available: '60.00', reserved: '0.00' });
    },
    60_000,
  );
});

describe('a provider that is down', () => {
  it('504 PROVIDER_TIMEOUT on refresh, and nothing changes', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    await movePayout(payments, id, 'complete');
    await faultAt('read', 'error-before-effect', 100);
    expect(await payments.post(`/withdrawals/${id}/refresh`, {})).toMatchObject({
      status: 504,
      code: 'PROVIDER_TIMEOUT',
      details: { withdrawalId: id },
    });
    expect(await statusOf(id)).toBe('WITHDRAWAL_PENDING');
  });
});

it('a status that was missed is polled', async () => {
  const id = await aWithdrawal(payments);
  await commit(payments, id);
  await movePayout(payments, id, 'complete');
  await payments.database.asAdmin('update payments.withdrawals set next_poll_at = now() where id = $1', [id]);
  await eventually(async () => expect(await statusOf(id)).toBe('WITHDRAWAL_COMPLETED'));
  const [row] = await payments.database.asAdmin('select next_poll_at from payments.withdrawals where id = $1', [id]);
  expect(row).toEqual({ next_poll_at: null });
});
