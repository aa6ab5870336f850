import { eventually } from '@holdfast/testing/eventually';
import type { TopupRecord } from '@holdfast/contracts/http';
import { withdrawalReserveRequested, withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import type { UserId } from '@holdfast/kernel/ids';
import { casesAbout, receivePayin, reportOf } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aTopup, clearFaults, sendEvent, setFault, statusOf } from './testing/topups.js';
import { aPayee, aWithdrawal, bodyOf, commit, foreignAddress, movePayout, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;
beforeAll(async () => {
  const settings = { PAYIN_CONFIRMATION_MS: '1500', SETTLEMENT_TIMEOUT_MS: '20000' };
  // No look finds a payment that is due: the process that made it due sleeps until then.
  payments = await startPayments(settings, { pollEveryMs: 3_600_000 });
});
afterEach(() => clearFaults(payments));
afterAll(() => payments.stop());

const toLedger = { destination: { type: 'ledger', address: foreignAddress } };
const withdraw = (userId: string, given: Readonly<Record<string, unknown>> = {}) =>
  payments.post('/withdrawals', bodyOf(userId, given));
const resolve = (id: string, action: string) =>
  payments.post(`/reconciliation/cases/${id}/resolve`, { action, note: 'Looked at.' });

/** A signed event reports that the top-up was paid, whatever the provider knows. */
const report = ({ id, providerPayinId, amount }: TopupRecord) =>
  sendEvent(payments, 'payin.succeeded', { id: providerPayinId, code: id, amount });

async function unconfirmedCase({ providerPayinId }: TopupRecord) {
  return eventually(async () => {
    const found = (await casesAbout(payments, providerPayinId ?? '')).filter(({ kind }) => kind === 'unconfirmed_payment');
    if (found[0] === undefined) throw new Error('There is no case yet.');
    expect(found).toHaveLength(1);
    return found[0];
  });
}

async function isConfirmed({ id }: TopupRecord): Promise<void> {
  await eventually(async () => {
    const sql = 'select unconfirmed_since as since from payments.topups where id = $1';
    expect(await payments.database.asAdmin(sql, [id])).toEqual([{ since: null }]);
  });
}

describe('a payment that a signed event has invented', () => {
  it('is credited at once, is a case soon after, and is taken back by its resolution', async () => {
    const userId = await aPayee(payments, '10.00');
    const topup = await aTopup(payments, { userId });
    expect(await report(topup)).toEqual({ status: 'ok', processed: true });
    await eventually(async () => expect(await statusOf(payments, topup.id)).toBe('TOPUP_SUCCEEDED'));
    expect(payments.ledger.balanceOf(userId).available).toBe('60.00');
    const found = await unconfirmedCase(topup);
    expect(found).toMatchObject({ userId, amount: '-50.00', relatedId: topup.id, source: 'payment_provider', status: 'OPEN' });
    expect((await reportOf(payments)).difference).toBe('0.00');
    expect(await casesAbout(payments, topup.providerPayinId ?? '')).toHaveLength(1);
    await eventually(async () => expect((await resolve(found.id, 'credit')).status).toBe(200));
    expect(payments.ledger.balanceOf(userId).available).toBe('10.00');
  });

  it('409 INVALID_STATE: holds the withdrawals of its user, to each destination, until the case is resolved', async () => {
    const userId = await aPayee(payments);
    const { id: before } = (await withdraw(userId, { amount: '5.00' })).data;
    const topup = await aTopup(payments, { userId });
    await report(topup);
    expect(await withdraw(userId)).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    const { id: caseId } = await unconfirmedCase(topup);
    const refused = { status: 409, code: 'INVALID_STATE', details: { caseId } };
    expect(await withdraw(userId)).toMatchObject(refused);
    expect(await withdraw(userId, { ...toLedger, commit: true })).toMatchObject(refused);
    expect(await commit(payments, before)).toMatchObject(refused);
    expect((await withdraw(await aPayee(payments))).status).toBe(201);
    await eventually(async () => expect((await resolve(caseId, 'credit')).status).toBe(200));
    expect((await commit(payments, before)).data).toMatchObject({ status: 'WITHDRAWAL_PENDING' });
    expect((await withdraw(userId, toLedger)).status).toBe(201);
  });

  it('stops a payout that was committed before, until the case is resolved', async () => {
    const userId = await aPayee(payments);
    const { id } = (await withdraw(userId)).data;
    const fault = { target: 'payment-provider', operation: 'create-payout', kind: 'error-before-effect', times: 100 };
    await payments.control('/faults', fault);
    const response = commit(payments, id);
    const topup = await aTopup(payments, { userId });
    await report(topup);
    const { id: caseId } = await unconfirmedCase(topup);
    await clearFaults(payments);
    const sql = `select from payments.intents where subject = $1 and due_at > now() + interval '2 seconds'`;
    await eventually(async () => expect(await payments.database.asAdmin(sql, [id])).toHaveLength(1));
    expect(await payoutsOf(payments, id)).toEqual([]);
    await eventually(async () => expect((await resolve(caseId, 'write_off')).status).toBe(200));
    expect((await response).data).toMatchObject({ status: 'WITHDRAWAL_PENDING' });
  });

  it('409 INVALID_STATE: is not sent by a withdrawal that was just being created', async () => {
    const [userId, by] = [await aPayee(payments), { type: 'system' } as const];
    const topup = await aTopup(payments, { userId });
    payments.ledger.loseNextReply(withdrawalReserveRequested);
    const response = withdraw(userId, { ...toLedger, commit: true });
    const commandsOf = (type: string) =>
      payments.ledger.commands.filter((command) => command.type === type && JSON.stringify(command.payload).includes(userId));
    await eventually(() => expect(commandsOf(withdrawalReserveRequested.type)).toHaveLength(1));
    await report(topup);
    const { sagaRunId } = commandsOf(withdrawalReserveRequested.type)[0] ?? {};
    expect((await payments.post(`/internal/saga-runs/${sagaRunId ?? ''}/redrive`, {}, by)).status).toBe(200);
    const { status, code, details } = await response;
    expect([status, code]).toEqual([409, 'INVALID_STATE']);
    const { data } = await payments.get(`/withdrawals/${String(details['withdrawalId'])}`);
    expect(data).toMatchObject({ status: 'WITHDRAWAL_CREATED', userId });
    expect(commandsOf(withdrawalLedgerPayoutRequested.type)).toEqual([]);
  });

  it('in part, is a case about the rest', async () => {
    const topup = await aTopup(payments);
    await receivePayin(payments, topup.providerPayinId ?? '', '30.00');
    await report(topup);
    expect(await unconfirmedCase(topup)).toMatchObject({ amount: '-20.00' });
  });
});

it('409 INVALID_STATE credits no late payment that the provider does not confirm; 200 once it does', async () => {
  const topup = await aTopup(payments);
  await payments.post(`/topups/${topup.id}/cancel`, {});
  await report(topup);
  const [found] = await casesAbout(payments, topup.providerPayinId ?? '');
  const id = found?.id ?? '';
  await eventually(async () =>
    expect(await resolve(id, 'credit')).toMatchObject({
      status: 409,
      details: { reason: 'The payment provider does not confirm this payment.' },
    }),
  );
  await receivePayin(payments, topup.providerPayinId ?? '');
  expect(await resolve(id, 'credit')).toMatchObject({ status: 200, data: { kind: 'late_money', status: 'RESOLVED' } });
});

describe('a payment that the provider confirms', () => {
  it('opens no case, and its user can withdraw at once', async () => {
    const userId = (await aPayee(payments, '0.00')) satisfies UserId;
    const topup = await aTopup(payments, { userId });
    await receivePayin(payments, topup.providerPayinId ?? '');
    await report(topup);
    await eventually(async () => expect(await statusOf(payments, topup.id)).toBe('TOPUP_SUCCEEDED'));
    expect((await withdraw(userId, { commit: true })).data).toMatchObject({ status: 'WITHDRAWAL_PENDING' });
    await isConfirmed(topup);
    expect(await casesAbout(payments, topup.providerPayinId ?? '')).toEqual([]);
  });

  it('later than its event, opens no case', async () => {
    const topup = await aTopup(payments);
    await report(topup);
    await receivePayin(payments, topup.providerPayinId ?? '');
    await isConfirmed(topup);
    expect(await casesAbout(payments, topup.providerPayinId ?? '')).toEqual([]);
  });

  it('503 SERVICE_UNAVAILABLE: no withdrawal while it cannot be read, and no case', async () => {
    const userId = await aPayee(payments);
    const topup = await aTopup(payments, { userId });
    await receivePayin(payments, topup.providerPayinId ?? '');
    await setFault(payments, { operation: 'read', kind: 'error-before-effect', times: 1_000 });
    await report(topup);
    expect(await withdraw(userId)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    await clearFaults(payments);
    await isConfirmed(topup);
    expect((await withdraw(userId)).status).toBe(201);
    expect(await casesAbout(payments, topup.providerPayinId ?? '')).toEqual([]);
  });
});

it('a payment is polled when it is due, although no event has reported it and no look has found it', async () => {
  const topup = await aTopup(payments);
  const withdrawalId = await aWithdrawal(payments);
  const statusOfWithdrawal = async () => (await payments.get(`/withdrawals/${withdrawalId}`)).data.status as string;
  // On a busy machine the response comes before the provider's.
  await commit(payments, withdrawalId);
  await eventually(async () => expect(await statusOfWithdrawal()).toBe('WITHDRAWAL_PENDING'));
  await receivePayin(payments, topup.providerPayinId ?? '');
  await movePayout(payments, withdrawalId, 'complete');
  await eventually(async () => expect(await statusOf(payments, topup.id)).toBe('TOPUP_SUCCEEDED'));
  await eventually(async () => expect(await statusOfWithdrawal()).toBe('WITHDRAWAL_COMPLETED'));
});
