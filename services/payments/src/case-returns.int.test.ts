import { eventually } from '@holdfast/testing/eventually';
import { aCase } from './testing/cases.js';
import { anOpenTopup, casesAbout, receivePayin, reportOf, since } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

const reported = () => reportOf(payments);
const aTopup = () => anOpenTopup(payments);
const received = (payinId: string) => receivePayin(payments, payinId);

describe('the return of a case', () => {
  const resolve = (id: string, action = 'return') =>
    payments.post(`/reconciliation/cases/${id}/resolve`, { action, note: 'Sent back.' });
  const payoutOf = async (code: string) => {
    const response = await fetch(`${payments.sandbox.controlUrl}/state`);
    const { payouts } = (await response.json()) as {
      readonly payouts: readonly { readonly id: string; readonly code: string }[];
    };
    return payouts.filter((payout) => payout.code === code);
  };
  const completed = async (code: string) => {
    const [payout] = await eventually(async () => {
      const found = await payoutOf(code);
      expect(found).toHaveLength(1);
      return found;
    });
    await eventually(async () => expect((await payments.control(`/payouts/${payout?.id}/complete`)).status).toBe(200));
  };

  it('200 pays the money back to its account once, and the books follow', async () => {
    const [before, suspense] = [await reported(), payments.ledger.suspense()];
    const { id, payinId } = await aTopup();
    await payments.post(`/topups/${id}/cancel`, {});
    await received(payinId);
    await reported();
    const [found] = await casesAbout(payments, payinId);
    if (found === undefined) throw new Error('There is no case.');
    const [response] = await Promise.all([resolve(found.id), completed(found.id)]);
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
    expect(payments.ledger.suspense()).toBe(suspense);
    const unchanged = { journal: '0.00', paymentProvider: '0.00', difference: '0.00', openCases: 0 };
    expect(since(before, await reported())).toMatchObject(unchanged);
    await eventually(() =>
      expect(payments.auditsOf(found.id).map(({ action }) => action)).toEqual([
        'RECONCILIATION_CASE_OPENED',
        'CASE_RESOLUTION_REQUESTED',
        'CASE_MONEY_RETURNED',
        'CASE_RESOLVED',
      ]),
    );
  });

  it('422 PAYMENT_ACCOUNT_INVALID when the payout fails; a second return is another payout', async () => {
    const userId = await payments.aLinkedUser();
    const id = await aCase(payments, { userId });
    const failed = async () => {
      const [payout] = await eventually(async () => {
        const found = await payoutOf(id);
        expect(found).toHaveLength(1);
        return found;
      });
      await eventually(async () =>
        expect((await payments.control(`/payouts/${payout?.id}/fail`, { reason: 'Closed.' })).status).toBe(200),
      );
    };
    const [refused] = await Promise.all([resolve(id), failed()]);
    expect([refused.status, refused.code]).toEqual([422, 'PAYMENT_ACCOUNT_INVALID']);
    const [response] = await Promise.all([resolve(id), completed(`${id}-2`)]);
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
  });

  it.each(['create-payout', 'commit'])('200 and one payout after a time-out behind the effect of %s', async (operation) => {
    const id = await aCase(payments, { userId: await payments.aLinkedUser() });
    await payments.control('/faults', { target: 'payment-provider', operation, kind: 'error-after-effect', times: 1 });
    const [response] = await Promise.all([resolve(id), completed(id)]);
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
    expect(await payoutOf(id)).toHaveLength(1);
  });
});

describe('POST /internal/users/{userId}/refresh-payments', () => {
  it('200 applies what the provider says about open payments of the user', async () => {
    const { payinId, userId } = await aTopup();
    await received(payinId);
    const refresh = () => payments.post(`/internal/users/${userId}/refresh-payments`, undefined, { type: 'system' });
    expect((await refresh()).data).toEqual({ refreshed: 1 });
    await eventually(() => expect(payments.ledger.balanceOf(userId).available).toBe('30.00'));
    await eventually(async () => expect((await refresh()).data).toEqual({ refreshed: 0 }));
  });
});
