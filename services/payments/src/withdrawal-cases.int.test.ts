import { withdrawalLedgerPayoutFailed, withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { sendWebhook } from './testing/send-webhook.js';
import { reply } from './testing/simulated-ledger.js';
import { aWithdrawal, commit, foreignAddress, movePayout } from './testing/withdrawals.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

type Found = { readonly kind: string; readonly amount: string; readonly status: string; readonly sourceId: string };
const casesOf = async (userId: string): Promise<readonly Found[]> =>
  (await payments.get(`/reconciliation/cases?userId=${userId}`)).data.data as readonly Found[];
const recordOf = async (id: string) =>
  (await payments.get(`/withdrawals/${id}`)).data as { status: string; userId: string; providerPayoutId: string };

const completed = (withdrawalId: string, payoutId: string, amount = 40) => ({
  type: 'payout.completed',
  data: { id: payoutId, code: withdrawalId, status: 'COMPLETED', amount },
});

describe('a webhook about a payout', () => {
  it('completes the withdrawal once, however often it arrives', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    const { providerPayoutId, userId } = await recordOf(id);
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendWebhook(payments, completed(id, providerPayoutId))));
    for (const response of responses) expect(response).toMatchObject({ status: 200 });
    await eventually(async () => expect((await recordOf(id)).status).toBe('WITHDRAWAL_COMPLETED'));
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '0.00' });
    expect(await casesOf(userId)).toEqual([]);
  });
});

describe('a payout that the provider completes', () => {
  it('after the amount was released opens one case', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    await movePayout(payments, id, 'fail', 'The account is closed.');
    await payments.post(`/withdrawals/${id}/refresh`, {});
    const { status, providerPayoutId, userId } = await recordOf(id);
    expect(status).toBe('WITHDRAWAL_FAILED');
    await sendWebhook(payments, completed(id, providerPayoutId));
    await sendWebhook(payments, completed(id, providerPayoutId));
    expect(await casesOf(userId)).toMatchObject([
      { kind: 'unexplained_difference', amount: '-40.00', status: 'OPEN', sourceId: providerPayoutId },
    ]);
    expect((await recordOf(id)).status).toBe('WITHDRAWAL_FAILED');
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100.00', reserved: '0.00' });
  });

  it('with another amount opens a case with the difference', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    const { providerPayoutId, userId } = await recordOf(id);
    await sendWebhook(payments, completed(id, providerPayoutId, 45));
    await eventually(async () => expect((await recordOf(id)).status).toBe('WITHDRAWAL_COMPLETED'));
    expect(await casesOf(userId)).toMatchObject([{ kind: 'amount_mismatch', amount: '-5.00' }]);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '0.00' });
  });
});

it('a payment that fails on the ledger network releases the amount', async () => {
  const id = await aWithdrawal(payments, { destination: { type: 'ledger', address: foreignAddress } });
  payments.ledger.replyNextWith(withdrawalLedgerPayoutRequested, (command) =>
    reply(withdrawalLedgerPayoutFailed, { ...command, reason: 'The account does not accept USDC.', errorCode: 'op_no_trust' }),
  );
  const { status, data } = await commit(payments, id);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    status: 'WITHDRAWAL_FAILED',
    failureReason: 'The account does not accept USDC.',
    errorCode: 'op_no_trust',
    providerPayoutId: null,
  });
  expect(payments.ledger.balanceOf(data.userId)).toEqual({ available: '100.00', reserved: '0.00' });
});
