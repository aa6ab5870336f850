import { eventually } from '@holdfast/testing/eventually';
import { anOpenTopup, casesAbout, receivePayin, reportOf, since } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { clearFaults } from './testing/topups.js';
import { bodyOf, commit, movePayout } from './testing/withdrawals.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments();
});
afterEach(async () => {
  await clearFaults(payments);
  payments.custody.payinsBooked = '0.00';
});
afterAll(() => payments.stop());

/** Reconciles now and whenever the returned function is called, which returns what has changed since. */
async function reportedSince() {
  const before = await reportOf(payments);
  return async () => since(before, await reportOf(payments));
}

const cases = (...ids: readonly string[]) => casesAbout(payments, ...ids);

type Reported = { readonly reports: readonly { readonly id: string; readonly at: string; readonly currency: string }[] };

/** The job of the service adds reports of its own, until there is one of this period. */
async function listed(query = ''): Promise<Reported['reports']> {
  return (await payments.get(`/reconciliation/reports${query}`)).data.data as Reported['reports'];
}

const aTopup = (amount?: string) => anOpenTopup(payments, amount);
const received = (payinId: string, amount?: string) => receivePayin(payments, payinId, amount);

/** Calls the payment provider past the platform. */
async function atProvider(path: string, body: unknown): Promise<{ readonly id: string }> {
  const { paymentProviderUrl, paymentUser, paymentPassword } = payments.sandbox;
  const authorization = `Basic ${Buffer.from(`${paymentUser}:${paymentPassword}`).toString('base64')}`;
  const response = await fetch(`${paymentProviderUrl}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { readonly id: string };
}

const aForeignPayin = (amount: number) =>
  atProvider('/payins', {
    code: `foreign-${amount}`,
    amount,
    description: 'It was not requested',
    items: [{ description: 'It', amount, quantity: 1 }],
    confirmationUri: 'http://shop.example/thanks',
    cancelUri: 'http://shop.example/sorry',
  });

describe('POST /reconciliation/reports', () => {
  it('201 one report per currency, without a difference if the books agree, and GET lists them', async () => {
    const reported = await reportedSince();
    const { payinId, id, userId } = await aTopup();
    await received(payinId);
    expect((await payments.post(`/topups/${id}/refresh`, {})).data.status).toBe('TOPUP_SUCCEEDED');
    expect(await reported()).toMatchObject({ journal: '30.00', paymentProvider: '30.00', difference: '0.00', openCases: 0 });
    const { reports } = (await payments.post('/reconciliation/reports', undefined)).data as Reported;
    expect(reports.map(({ currency }) => currency).toSorted()).toEqual(['USD', 'USDC', 'XLM']);
    expect(await listed()).toEqual(expect.arrayContaining(reports));
    const inXlm = await listed('?currency=XLM');
    expect(inXlm).toEqual(expect.arrayContaining(reports.filter(({ currency }) => currency === 'XLM')));
    expect(new Set(inXlm.map(({ currency }) => currency))).toEqual(new Set(['XLM']));
    expect(await cases(payinId, userId)).toEqual([]);
  });

  it('201 the same operation again returns the first reports', async () => {
    const by = { operationId: payments.newId('evt') };
    const first = (await payments.post('/reconciliation/reports', undefined, by)).data as Reported;
    expect((await payments.post('/reconciliation/reports', undefined, by)).data).toEqual(first);
    const [firstId = ''] = first.reports.map(({ id }) => id).toSorted();
    expect((await listed()).filter(({ id }) => id >= firstId)).toHaveLength(first.reports.length);
  });

  it('201 applies an outcome that was not learned yet, without a case', async () => {
    const reported = await reportedSince();
    const { payinId, userId, id } = await aTopup();
    await received(payinId);
    expect(await reported()).toMatchObject({ journal: '30.00', paymentProvider: '30.00', difference: '0.00' });
    expect(payments.ledger.balanceOf(userId).available).toBe('30.00');
    await eventually(async () => expect((await payments.get(`/topups/${id}`)).data.status).toBe('TOPUP_SUCCEEDED'));
    expect(await cases(payinId, userId)).toEqual([]);
  });

  it('201 pay-ins and payouts that are open at the provider make no difference', async () => {
    const reported = await reportedSince();
    await aTopup();
    const { payinId, userId } = await aTopup('50.00');
    await received(payinId);
    await reported();
    const { data } = await payments.post('/withdrawals', bodyOf(userId, { amount: '20.00' }));
    expect((await commit(payments, data.id)).status).toBe(200);
    expect(await reported()).toMatchObject({ journal: '50.00', paymentProvider: '50.00', difference: '0.00' });
    await movePayout(payments, data.id, 'complete');
    expect(await reported()).toMatchObject({ journal: '30.00', paymentProvider: '30.00', difference: '0.00' });
    expect(await cases(userId)).toEqual([]);
  });

  it('201 finds late_money, which support credits', async () => {
    const reported = await reportedSince();
    const { id, payinId, userId } = await aTopup();
    expect((await payments.post(`/topups/${id}/cancel`, {})).data.status).toBe('TOPUP_CANCELED');
    await received(payinId);
    expect(await reported()).toMatchObject({ journal: '30.00', paymentProvider: '30.00', difference: '0.00', openCases: 1 });
    const [found] = await cases(payinId);
    expect(found).toMatchObject({ kind: 'late_money', amount: '30.00', sourceId: payinId });
    expect((await payments.post(`/reconciliation/cases/${found?.id}/resolve`, { action: 'credit', note: 'Paid.' })).status).toBe(
      200,
    );
    expect(payments.ledger.balanceOf(userId).available).toBe('30.00');
    expect(await reported()).toMatchObject({ difference: '0.00', openCases: 0 });
  });

  it('201 finds amount_mismatch with what was received', async () => {
    const reported = await reportedSince();
    const { payinId } = await aTopup();
    await received(payinId, '12.34');
    expect(await reported()).toMatchObject({ journal: '12.34', paymentProvider: '12.34', difference: '0.00', openCases: 1 });
    expect(await cases(payinId)).toMatchObject([{ kind: 'amount_mismatch', amount: '12.34' }]);
  });

  it('201 finds a pay-in and a payout without a request, each once', async () => {
    const reported = await reportedSince();
    const payin = await aForeignPayin(7.5);
    await received(payin.id);
    const payout = await atProvider('/payouts', {
      amount: 2.25,
      airtmUserEmail: 'x@example.com',
      notes: 'By hand',
      commit: true,
    });
    expect((await payments.control(`/payouts/${payout.id}/complete`)).status).toBe(200);
    for (let round = 0; round < 2; round += 1) {
      expect(await reported()).toMatchObject({ journal: '5.25', paymentProvider: '5.25', difference: '0.00', openCases: 2 });
    }
    const found = (await cases(payin.id, payout.id)).toSorted((one, other) => Number(one.amount) - Number(other.amount));
    expect(found).toMatchObject([
      { kind: 'unexplained_difference', amount: '-2.25', sourceId: payout.id },
      { kind: 'unexplained_difference', amount: '7.50', sourceId: payin.id },
    ]);
    for (const { id } of found)
      expect((await payments.post(`/reconciliation/cases/${id}/resolve`, { action: 'write_off', note: 'Ours.' })).status).toBe(
        200,
      );
    expect(await reported()).toMatchObject({ difference: '0.00', openCases: 0 });
  });

  it('201 finds a top-up that the provider does not confirm', async () => {
    const reported = await reportedSince();
    const { id, payinId, userId } = await aTopup();
    await received(payinId);
    await payments.post(`/topups/${id}/refresh`, {});
    await payments.database.asAdmin(`update payments.topups set provider_payin_id = 'payin-that-never-was' where id = $1`, [id]);
    await reported();
    expect((await cases(userId, payinId)).map(({ kind, amount }) => `${kind} ${amount}`).toSorted()).toEqual([
      'late_money 30.00',
      'unexplained_difference -30.00',
    ]);
  });

  it('201 shows a posting in the journal that no payment explains', async () => {
    const reported = await reportedSince();
    const { payinId, id } = await aTopup();
    await received(payinId);
    await payments.post(`/topups/${id}/refresh`, {});
    payments.custody.payinsBooked = '1.00';
    expect(await reported()).toMatchObject({ journal: '31.00', paymentProvider: '30.00', difference: '-1.00', openCases: 0 });
  });

  it('201 differences are never wrong while payments are in flight', async () => {
    const reported = await reportedSince();
    const replica = await payments.startReplica();
    let isRunning = true;
    const traffic = async () => {
      while (isRunning) {
        const { payinId, userId, id } = await aTopup('10.00');
        await received(payinId);
        await replica.post(`/topups/${id}/refresh`, {});
        const { data } = await replica.post('/withdrawals', bodyOf(userId, { amount: '4.00', commit: true }));
        await movePayout(payments, data.id, 'complete');
      }
    };
    const clients = [traffic(), traffic()];
    const reports = [];
    for (let round = 0; round < 3; round += 1) reports.push(await reported());
    isRunning = false;
    await Promise.all(clients);
    expect(reports.map(({ difference, openCases }) => [difference, openCases])).toEqual([
      ['0.00', 0],
      ['0.00', 0],
      ['0.00', 0],
    ]);
    expect(await reported()).toMatchObject({ difference: '0.00', openCases: 0 });
  });

  it('201 names what cannot be read, and reports the other currencies', async () => {
    await payments.control('/faults', { target: 'payment-provider', operation: 'read', kind: 'error-before-effect' });
    const inUsd = await reportOf(payments);
    expect(inUsd).toMatchObject({ unavailable: ['paymentProvider'], paymentProvider: null, journal: null, difference: null });
    expect(await listed('?currency=USD&limit=1')).toMatchObject([inUsd]);
    expect(await reportOf(payments, 'XLM')).toMatchObject({ unavailable: [], difference: '0.00' });
  });

  it('201 reads amounts of up to seven places', async () => {
    const reported = await reportedSince();
    const payin = await aForeignPayin(1.234567);
    await received(payin.id);
    expect(await reported()).toMatchObject({ journal: '1.234567', paymentProvider: '1.234567', difference: '0.00' });
    expect(await cases(payin.id)).toMatchObject([{ kind: 'unexplained_difference', amount: '1.234567' }]);
  });
});

describe('the scheduled reconciliation', () => {
  it('makes reports by itself, once per period over all replicas', async () => {
    const scheduled = await startPayments({ RECONCILIATION_EVERY_MS: '3600000' });
    await scheduled.startReplica();
    await eventually(async () => expect((await scheduled.get('/reconciliation/reports')).data.data).toHaveLength(3), {
      timeoutMs: 30_000,
    });
    await scheduled.stop();
  });
});
