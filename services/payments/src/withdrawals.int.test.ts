import { withdrawalLedgerPayoutFailed, withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { reply } from './testing/simulated-ledger.js';
import { aPayee, aWithdrawal, bodyOf, commit, foreignAddress, movePayout, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

const typesOf = (id: string): readonly string[] => payments.eventsOf(id).map(({ type }) => type);
const payloadOf = (id: string, type: string): unknown => payments.eventsOf(id).find((each) => each.type === type)?.payload;
const actionsOf = (id: string): readonly string[] => payments.auditsOf(id).map(({ action }) => action);
const refresh = (id: string) => payments.post(`/withdrawals/${id}/refresh`, {});

describe('POST /withdrawals', () => {
  it('201 reserves the amount', async () => {
    const userId = await aPayee(payments);
    const { status, data } = await payments.post('/withdrawals', bodyOf(userId, { description: 'Rent' }));
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^wd_/),
      userId,
      amount: '40.00',
      fee: '0.00',
      currency: 'USD',
      status: 'WITHDRAWAL_CREATED',
      destinationType: 'bank',
      destinationRef: 'account-7',
      description: 'Rent',
      providerPayoutId: null,
      failureReason: null,
      errorCode: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      completedAt: null,
    });
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '40.00' });
    expect((await payments.get(`/withdrawals/${data.id}`)).data).toEqual(data);
    await eventually(() => expect(typesOf(data.id)).toEqual(['withdrawal.created']));
    expect(payloadOf(data.id, 'withdrawal.created')).toEqual({
      withdrawalId: data.id,
      userId,
      amount: '40.00',
      currency: 'USD',
      destinationType: 'bank',
      destinationRef: 'account-7',
    });
    await eventually(() => expect(actionsOf(data.id)).toEqual(['WITHDRAWAL_CREATED']));
  });

  it('201 with commit sends the money at once', async () => {
    const userId = await aPayee(payments);
    const { status, data } = await payments.post('/withdrawals', bodyOf(userId, { commit: true }));
    expect([status, data.status]).toEqual([201, 'WITHDRAWAL_PENDING']);
    expect(await payoutsOf(payments, data.id)).toMatchObject([{ status: 'COMMITTED', amount: 40, internalNote: 'account-7' }]);
    await eventually(() =>
      expect(typesOf(data.id)).toEqual(['withdrawal.created', 'withdrawal.committed', 'withdrawal.pending']),
    );
    expect(payloadOf(data.id, 'withdrawal.committed')).toMatchObject({ committedBalance: '40.00', availableBalance: '60.00' });
  });

  it('422 INSUFFICIENT_FUNDS leaves nothing', async () => {
    const userId = await aPayee(payments, '39.99');
    const { status, code } = await payments.post('/withdrawals', bodyOf(userId));
    expect([status, code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect((await payments.get(`/withdrawals?userId=${userId}`)).data.data).toEqual([]);
    expect(await payments.database.asAdmin('select id from payments.withdrawals where user_id = $1', [userId])).toEqual([]);
  });

  it('201 for an amount below the minimum if it is the whole available balance', async () => {
    const userId = await aPayee(payments, '0.07');
    expect(await payments.post('/withdrawals', bodyOf(userId, { amount: '0.06' }))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await payments.post('/withdrawals', bodyOf(userId, { amount: '0.07' }))).toMatchObject({ status: 201 });
  });

  it('201 again with the first result if the operation is repeated', async () => {
    const userId = await aPayee(payments, '40.00');
    const by = { operationId: 'op-create-withdrawal' };
    const first = await payments.post('/withdrawals', bodyOf(userId), by);
    // The checks of the repeat would fail: the balance is reserved now, and the account is gone.
    await payments.database.asAdmin('delete from payments.payment_accounts where user_id = $1', [userId]);
    const second = await payments.post('/withdrawals', bodyOf(userId), by);
    expect(second.data).toEqual(first.data);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '0.00', reserved: '40.00' });
    expect(await payments.post('/withdrawals', bodyOf(userId, { amount: '41.00' }), by)).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('the account of payment_account is the linked one', async () => {
    const userId = await aPayee(payments);
    const body = bodyOf(userId, { destination: { type: 'payment_account' } });
    expect((await payments.post('/withdrawals', body)).data).toMatchObject({
      destinationType: 'payment_account',
      destinationRef: `account-${userId}`,
    });
  });
});

describe('POST /withdrawals/{id}/commit', () => {
  it('200 WITHDRAWAL_PENDING once the provider has accepted the payout, then COMPLETED', async () => {
    const id = await aWithdrawal(payments);
    const committed = await commit(payments, id);
    const [payout] = await payoutsOf(payments, id);
    expect(committed.data).toMatchObject({ status: 'WITHDRAWAL_PENDING', providerPayoutId: payout?.id });
    await movePayout(payments, id, 'complete');
    const { data } = await refresh(id);
    expect(data).toMatchObject({ status: 'WITHDRAWAL_COMPLETED', completedAt: expect.any(String), failureReason: null });
    expect(payments.ledger.balanceOf(data.userId)).toEqual({ available: '60.00', reserved: '0.00' });
    await eventually(() =>
      expect(typesOf(id)).toEqual(['withdrawal.created', 'withdrawal.committed', 'withdrawal.pending', 'withdrawal.completed']),
    );
    expect(payloadOf(id, 'withdrawal.pending')).toEqual({
      withdrawalId: id,
      userId: data.userId,
      amount: '40.00',
      providerPayoutId: payout?.id,
    });
    expect(payloadOf(id, 'withdrawal.completed')).toEqual({
      withdrawalId: id,
      userId: data.userId,
      amount: '40.00',
      currency: 'USD',
      completedAt: data.completedAt,
      providerPayoutId: payout?.id,
    });
    await eventually(() =>
      expect(actionsOf(id)).toEqual(['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_COMPLETED']),
    );
  });

  it('a failed payout releases the amount', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    await movePayout(payments, id, 'fail', 'The account is closed.');
    const { data } = await refresh(id);
    expect(data).toMatchObject({
      status: 'WITHDRAWAL_FAILED',
      failureReason: 'The account is closed.',
      errorCode: expect.any(String),
      completedAt: null,
    });
    expect(payments.ledger.balanceOf(data.userId)).toEqual({ available: '100.00', reserved: '0.00' });
    await eventually(() => expect(typesOf(id).at(-1)).toBe('withdrawal.failed'));
    expect(payloadOf(id, 'withdrawal.failed')).toEqual({
      withdrawalId: id,
      userId: data.userId,
      amount: '40.00',
      reason: 'The account is closed.',
      errorCode: data.errorCode,
      providerPayoutId: data.providerPayoutId,
    });
  });

  it('a payout that waits for the user is WITHDRAWAL_PENDING_USER_ACTION, and goes on', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    await movePayout(payments, id, 'require-action', 'Confirm your identity.');
    expect((await refresh(id)).data).toMatchObject({ status: 'WITHDRAWAL_PENDING_USER_ACTION' });
    expect((await refresh(id)).data).toMatchObject({ status: 'WITHDRAWAL_PENDING_USER_ACTION' });
    await eventually(() =>
      expect(payloadOf(id, 'withdrawal.pending_user_action')).toMatchObject({ actionRequired: 'Confirm your identity.' }),
    );
    await movePayout(payments, id, 'complete');
    expect((await refresh(id)).data).toMatchObject({ status: 'WITHDRAWAL_COMPLETED' });
    await eventually(() =>
      expect(typesOf(id).slice(2)).toEqual(['withdrawal.pending', 'withdrawal.pending_user_action', 'withdrawal.completed']),
    );
  });

  it('409 INVALID_STATE a second time, and the first result for a repeated operation', async () => {
    const id = await aWithdrawal(payments);
    const by = { operationId: 'op-commit-withdrawal' };
    const first = await payments.post(`/withdrawals/${id}/commit`, {}, by);
    expect((await payments.post(`/withdrawals/${id}/commit`, {}, by)).data).toEqual(first.data);
    expect(await commit(payments, id)).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    expect(await payoutsOf(payments, id)).toHaveLength(1);
  });

  it('422 USER_NOT_ACTIVE for a suspended user', async () => {
    const userId = payments.aUser({ status: 'SUSPENDED' });
    expect(await payments.post('/withdrawals', bodyOf(userId))).toMatchObject({ status: 422, code: 'USER_NOT_ACTIVE' });
    const id = await aWithdrawal(payments);
    await payments.database.asAdmin(
      `update payments.users set status = 'SUSPENDED' where id in (select user_id from payments.withdrawals where id = $1)`,
      [id],
    );
    expect(await commit(payments, id)).toMatchObject({ status: 422, code: 'USER_NOT_ACTIVE' });
    expect((await payments.get(`/withdrawals/${id}`)).data).toMatchObject({ status: 'WITHDRAWAL_CREATED' });
  });
});

describe('a withdrawal to an address on the ledger network', () => {
  const destination = { type: 'ledger', address: foreignAddress };

  it('is completed once the payment is final', async () => {
    const id = await aWithdrawal(payments, { destination, currency: 'USDC', amount: '12.3456789' });
    const { status, data } = await commit(payments, id);
    expect([status, data.status]).toEqual([200, 'WITHDRAWAL_COMPLETED']);
    expect(data).toMatchObject({ providerPayoutId: expect.stringMatching(/^[0-9a-f]{64}$/), destinationRef: foreignAddress });
    expect(await payoutsOf(payments, id)).toEqual([]);
    await eventually(() =>
      expect(typesOf(id)).toEqual(['withdrawal.created', 'withdrawal.committed', 'withdrawal.pending', 'withdrawal.completed']),
    );
  });

  it('releases the amount if the payment fails', async () => {
    const id = await aWithdrawal(payments, { destination });
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
});

describe('POST /withdrawals/{id}/cancel', () => {
  it('200 releases the amount', async () => {
    const id = await aWithdrawal(payments);
    const { status, data } = await payments.post(`/withdrawals/${id}/cancel`, { reason: 'Wrong account', canceledBy: 'ada' });
    expect([status, data.status]).toEqual([200, 'WITHDRAWAL_CANCELED']);
    expect(payments.ledger.balanceOf(data.userId)).toEqual({ available: '100.00', reserved: '0.00' });
    await eventually(() =>
      expect(payloadOf(id, 'withdrawal.canceled')).toEqual({
        withdrawalId: id,
        userId: data.userId,
        amount: '40.00',
        canceledBy: 'ada',
        reason: 'Wrong account',
        refundedToBalance: true,
        newAvailableBalance: '100.00',
      }),
    );
    expect(await payments.post(`/withdrawals/${id}/cancel`, {})).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    expect(await commit(payments, id)).toMatchObject({ status: 409, code: 'INVALID_STATE' });
  });

  it('409 INVALID_STATE once it is committed', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    expect(await payments.post(`/withdrawals/${id}/cancel`, {})).toMatchObject({ status: 409, code: 'INVALID_STATE' });
  });
});
