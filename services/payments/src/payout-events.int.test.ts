import { eventually } from '@holdfast/testing/eventually';
import { aCase } from './testing/cases.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aTopup, clearFaults, sendEvent } from './testing/topups.js';
import { aPayee, aWithdrawal, bodyOf, commit, movePayout, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments({ SETTLEMENT_TIMEOUT_MS: '30000' });
});
afterEach(() => clearFaults(payments));
afterAll(() => payments.stop());

const recordOf = async (id: string) => (await payments.get(`/withdrawals/${id}`)).data;

async function aPendingWithdrawal(): Promise<{ readonly id: string; readonly payoutId: string }> {
  const id = await aWithdrawal(payments);
  await commit(payments, id);
  const [payout] = await payoutsOf(payments, id);
  return { id, payoutId: payout?.id ?? '' };
}

describe('a payout event that names the withdrawal by our id', () => {
  it.each([
    ['as its id', (id: string) => ({ id })],
    ['as its id, with a code of the provider', (id: string) => ({ id, code: 'batch-7' })],
    ['as its code', (id: string, payoutId: string) => ({ id: payoutId, code: id })],
  ])('%s, completes it', async (_, dataOf) => {
    const { id, payoutId } = await aPendingWithdrawal();
    expect(await sendEvent(payments, 'payout.completed', dataOf(id, payoutId))).toMatchObject({ processed: true });
    await eventually(async () => expect(await recordOf(id)).toMatchObject({ status: 'WITHDRAWAL_COMPLETED' }));
    const { userId, providerPayoutId } = await recordOf(id);
    expect(providerPayoutId).toBe(payoutId);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '0.00' });
  });

  it('fails it, and its amount is available again', async () => {
    const { id, payoutId } = await aPendingWithdrawal();
    await sendEvent(payments, 'payout.failed', { id });
    await eventually(async () =>
      expect(await recordOf(id)).toMatchObject({ status: 'WITHDRAWAL_FAILED', providerPayoutId: payoutId }),
    );
  });

  it('is applied once the id of the payout is known, which is never ours', async () => {
    const id = await aWithdrawal(payments);
    const fault = { target: 'payment-provider', operation: 'create-payout', kind: 'error-before-effect', times: 100 };
    await payments.control('/faults', fault);
    const response = commit(payments, id);
    await eventually(async () => expect(await recordOf(id)).toMatchObject({ status: 'WITHDRAWAL_COMMITTED' }));
    expect(await sendEvent(payments, 'payout.created', { id })).toMatchObject({ status: 'ok' });
    expect(await sendEvent(payments, 'payout.pending', { id })).toMatchObject({ processed: false });
    expect(await sendEvent(payments, 'payout.completed', { id })).toMatchObject({ processed: false });
    expect(await recordOf(id)).toMatchObject({ status: 'WITHDRAWAL_COMMITTED', providerPayoutId: null });
    await clearFaults(payments);
    await response;
    const [payout] = await payoutsOf(payments, id);
    expect((await recordOf(id)).providerPayoutId).toBe(payout?.id);
    await payments.database.asAdmin('update payments.webhook_events set next_attempt_at = now() where result is null');
    await eventually(async () =>
      expect(await recordOf(id)).toMatchObject({ status: 'WITHDRAWAL_COMPLETED', providerPayoutId: payout?.id }),
    );
  });

  it('and another one by its code, changes neither', async () => {
    const [one, other] = [await aPendingWithdrawal(), await aPendingWithdrawal()];
    expect(await sendEvent(payments, 'payout.completed', { id: one.id, code: other.id })).toMatchObject({ processed: false });
    for (const { id, payoutId } of [one, other])
      expect(await recordOf(id)).toMatchObject({ status: 'WITHDRAWAL_PENDING', providerPayoutId: payoutId });
  });
});

describe('a case about an operation that is still open', () => {
  const credit = (id: string) =>
    payments.post(`/reconciliation/cases/${id}/resolve`, { action: 'credit', note: 'It is theirs.' });

  it('409 INVALID_STATE credits no user while the withdrawal is open; 200 when it has ended', async () => {
    const userId = await aPayee(payments);
    const { id: withdrawalId } = (await payments.post('/withdrawals', bodyOf(userId))).data;
    await commit(payments, withdrawalId);
    const caseId = await aCase(payments, { userId, amount: '-40.00', origin: 'payouts', relatedId: withdrawalId });
    expect(await credit(caseId)).toMatchObject({
      status: 409,
      code: 'INVALID_STATE',
      details: { currentStatus: 'WITHDRAWAL_PENDING', relatedId: withdrawalId },
    });
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '40.00' });
    await movePayout(payments, withdrawalId, 'fail', 'The account is closed.');
    await payments.post(`/withdrawals/${withdrawalId}/refresh`, {});
    expect(await credit(caseId)).toMatchObject({ status: 200, data: { status: 'RESOLVED' } });
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '0.00' });
  });

  it('409 INVALID_STATE credits no user while the top-up is open', async () => {
    const { id: relatedId, userId } = await aTopup(payments);
    const caseId = await aCase(payments, { userId, relatedId });
    expect(await credit(caseId)).toMatchObject({ status: 409, code: 'INVALID_STATE', details: { relatedId } });
    await payments.post(`/topups/${relatedId}/cancel`, {});
    expect(await credit(caseId)).toMatchObject({ status: 200 });
  });
});
