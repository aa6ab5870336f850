import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
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

  it('a payout that waits for the user is WITHDRAWAL_PENDING_USER_ACTION, and continues', async () => {
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
});
