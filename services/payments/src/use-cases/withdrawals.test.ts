import { withdrawalLedgerPayoutFailed, withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryPayments, type MemoryPayments } from '../testing/memory-payments.js';
import { reply } from '../testing/simulated-ledger.js';
import { foreignAddress } from '../testing/withdrawals.js';
import { cancelWithdrawal } from './cancel-withdrawal.js';
import { commitWithdrawal } from './commit-withdrawal.js';
import { getWithdrawal } from './get-withdrawal.js';
import { ProviderRefused } from './provider-ports.js';
import { refreshWithdrawal } from './refresh-withdrawal.js';

let payments: MemoryPayments;
beforeEach(() => {
  payments = memoryPayments();
});
afterEach(() => payments.idle());

const toLedger = { destination: { type: 'ledger', ref: foreignAddress } } as const;
const commit = (id: WithdrawalId, operationId?: string) => commitWithdrawal(payments.deps, { id }, payments.by({}, operationId));
const cancel = (id: WithdrawalId, given: object = {}) => cancelWithdrawal(payments.deps, { id, ...given }, payments.by());
const refresh = (id: WithdrawalId) => refreshWithdrawal(payments.deps, { id }, payments.by());
const typesOf = (id: string) => payments.eventsOf(id).map(({ type }) => type);
const payloadOf = (id: string, type: string) => payments.eventsOf(id).find((each) => each.type === type)?.payload;

describe('a withdrawal of another marketplace', () => {
  it('WITHDRAWAL_NOT_FOUND for every use case', async () => {
    const { id } = await payments.aWithdrawal();
    const elsewhere = payments.by({ marketplaceId: 'mkt_other' });
    for (const use of [getWithdrawal, refreshWithdrawal, commitWithdrawal, cancelWithdrawal])
      expect(await refusalOf(use(payments.deps, { id }, elsewhere))).toEqual(['WITHDRAWAL_NOT_FOUND', { withdrawalId: id }]);
  });
});

describe('commitWithdrawal', () => {
  it('is WITHDRAWAL_PENDING once the provider has accepted the payout, then COMPLETED', async () => {
    const { id, userId } = await payments.aWithdrawal();
    expect(await commit(id)).toMatchObject({ status: 'WITHDRAWAL_PENDING', providerPayoutId: 'payout-1' });
    payments.provider.movePayout(id, { outcome: 'completed' });
    const { status, completedAt } = await refresh(id);
    expect(status).toBe('WITHDRAWAL_COMPLETED');
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '0.00' });
    const amount = { withdrawalId: id, userId, amount: '40.00' };
    expect(payloadOf(id, 'withdrawal.pending')).toEqual({ ...amount, providerPayoutId: 'payout-1' });
    const completed = { ...amount, currency: 'USD', completedAt, providerPayoutId: 'payout-1' };
    expect(payloadOf(id, 'withdrawal.completed')).toEqual(completed);
    const actions = ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_COMPLETED'];
    expect(payments.auditsOf(id).map(({ action }) => action)).toEqual(actions);
  });

  it('of a payout that fails frees the amount', async () => {
    const { id, userId } = await payments.aWithdrawal();
    await commit(id);
    const text = 'The account is closed.';
    payments.provider.movePayout(id, { outcome: 'failed', reason: { code: 'closed', text } });
    expect(await refresh(id)).toMatchObject({ status: 'WITHDRAWAL_FAILED', failureReason: text, errorCode: 'closed' });
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100.00', reserved: '0.00' });
    const payload = {
      withdrawalId: id,
      userId,
      amount: '40.00',
      reason: text,
      errorCode: 'closed',
      providerPayoutId: 'payout-1',
    };
    expect(payloadOf(id, 'withdrawal.failed')).toEqual(payload);
  });

  it('of a payout that waits for the user continues afterwards', async () => {
    const { id } = await payments.aWithdrawal({ commit: true });
    payments.provider.movePayout(id, { outcome: 'user-action', reason: { code: null, text: 'Confirm your identity.' } });
    for (let reads = 0; reads < 2; reads += 1) expect((await refresh(id)).status).toBe('WITHDRAWAL_PENDING_USER_ACTION');
    expect(payloadOf(id, 'withdrawal.pending_user_action')).toMatchObject({ actionRequired: 'Confirm your identity.' });
    payments.provider.movePayout(id, { outcome: 'completed' });
    expect((await refresh(id)).status).toBe('WITHDRAWAL_COMPLETED');
    const ending = ['withdrawal.pending', 'withdrawal.pending_user_action', 'withdrawal.completed'];
    expect(typesOf(id).slice(2)).toEqual(ending);
  });

  it('of a refused payout is WITHDRAWAL_FAILED with the reason, and frees the amount', async () => {
    const { id, userId } = await payments.aWithdrawal();
    payments.provider.failNext('createPayout', new ProviderRefused('blocked', 'The account is blocked.'), 'before');
    expect(await commit(id)).toMatchObject({ status: 'WITHDRAWAL_FAILED', failureReason: 'The account is blocked.' });
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100.00', reserved: '0.00' });
  });

  it.each(['createPayout', 'commitPayout'] as const)(
    'PROVIDER_TIMEOUT while the outcome of %s is unknown; then one payout',
    async (operation) => {
      const { id } = await payments.aWithdrawal();
      payments.provider.failNext(operation, new Error('timed out'), 'after');
      expect((await refusalOf(commit(id, 'op-2')))[0]).toBe('PROVIDER_TIMEOUT');
      expect(await commit(id, 'op-2')).toMatchObject({ status: 'WITHDRAWAL_PENDING', providerPayoutId: 'payout-1' });
    },
  );

  it('with another amount at the provider cancels the payout and frees the amount', async () => {
    const { id, userId } = await payments.aWithdrawal();
    payments.provider.failNext('createPayout', new Error('timed out'), 'after');
    await refusalOf(commit(id, 'op-3'));
    payments.provider.movePayout(id, { amount: parseMoney('41.00', 'USD') });
    expect((await commit(id, 'op-3')).status).toBe('WITHDRAWAL_FAILED');
    expect(payments.provider.payoutOf(id)?.outcome).toBe('canceled');
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100.00', reserved: '0.00' });
  });

  it('INVALID_STATE a second time, and the first result for a repeated operation', async () => {
    const { id } = await payments.aWithdrawal();
    const first = await commit(id, 'op-4');
    expect(await commit(id, 'op-4')).toEqual(first);
    expect((await refusalOf(commit(id)))[0]).toBe('INVALID_STATE');
  });

  it('USER_NOT_ACTIVE for a suspended user, PLATFORM_STOPPED while the platform is stopped; nothing changes', async () => {
    const withdrawal = await payments.aWithdrawal();
    const { id, userId } = withdrawal;
    payments.setStopped(true);
    expect((await refusalOf(commit(id)))[0]).toBe('PLATFORM_STOPPED');
    const { users } = payments.ports.tables.committed();
    const user = users.get(userId);
    if (user !== undefined) users.set(userId, { ...user, status: 'SUSPENDED' });
    expect(await refusalOf(commit(id))).toEqual(['USER_NOT_ACTIVE', { userId }]);
    expect(await getWithdrawal(payments.deps, { id }, payments.by())).toEqual(withdrawal);
  });
});

describe('a withdrawal to the ledger network', () => {
  it('is completed once the payment is final', async () => {
    const { id } = await payments.aWithdrawal({ ...toLedger, currency: 'USDC', amount: '12.3456789' });
    const committed = await commit(id);
    expect(committed).toMatchObject({
      status: 'WITHDRAWAL_COMPLETED',
      providerPayoutId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(payments.provider.payoutOf(id)).toBeUndefined();
    const command = payments.ledger.commands.find(({ type }) => type === withdrawalLedgerPayoutRequested.type);
    expect(command).toMatchObject({ saga: 'ledger-payout', payload: { address: foreignAddress, amount: '12.3456789' } });
    expect(typesOf(id)).toEqual(['withdrawal.created', 'withdrawal.committed', 'withdrawal.pending', 'withdrawal.completed']);
  });

  it('frees the amount if the payment fails', async () => {
    const { id, userId } = await payments.aWithdrawal(toLedger);
    const failure = { reason: 'The account does not accept USDC.', errorCode: 'op_no_trust' };
    payments.ledger.replyNextWith(withdrawalLedgerPayoutRequested, (command) =>
      reply(withdrawalLedgerPayoutFailed, { ...command, ...failure }),
    );
    const { reason: failureReason, errorCode } = failure;
    expect(await commit(id)).toMatchObject({ status: 'WITHDRAWAL_FAILED', failureReason, errorCode, providerPayoutId: null });
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100.00', reserved: '0.00' });
  });
});

describe('cancelWithdrawal', () => {
  it('frees the amount, and publishes who canceled and why', async () => {
    const { id, userId } = await payments.aWithdrawal();
    expect((await cancel(id, { reason: 'Wrong account', canceledBy: 'ada' })).status).toBe('WITHDRAWAL_CANCELED');
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100.00', reserved: '0.00' });
    const by = { canceledBy: 'ada', reason: 'Wrong account', refundedToBalance: true, newAvailableBalance: '100.00' };
    expect(payloadOf(id, 'withdrawal.canceled')).toEqual({ withdrawalId: id, userId, amount: '40.00', ...by });
    for (const refused of [cancel(id), commit(id)]) expect((await refusalOf(refused))[0]).toBe('INVALID_STATE');
  });

  it('INVALID_STATE once the payout was sent', async () => {
    const { id } = await payments.aWithdrawal({ commit: true });
    expect((await refusalOf(cancel(id)))[0]).toBe('INVALID_STATE');
  });

  it('of a committed withdrawal cancels a payout that the provider has not got, or has not committed', async () => {
    for (const when of ['before', 'after'] as const) {
      const { id, userId } = await payments.aWithdrawal();
      payments.provider.failNext('createPayout', new Error('timed out'), when);
      await refusalOf(commit(id));
      expect((await cancel(id)).status).toBe('WITHDRAWAL_CANCELED');
      expect(payments.provider.payoutOf(id)?.outcome).toBe(when === 'before' ? undefined : 'canceled');
      expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100.00', reserved: '0.00' });
    }
  });

  it('of a committed withdrawal is INVALID_STATE if the payout was committed although its response was lost', async () => {
    const { id } = await payments.aWithdrawal();
    payments.provider.failNext('commitPayout', new Error('timed out'), 'after');
    await refusalOf(commit(id));
    expect((await refusalOf(cancel(id)))[0]).toBe('INVALID_STATE');
    expect((await getWithdrawal(payments.deps, { id }, payments.by())).status).toBe('WITHDRAWAL_PENDING');
  });
});
