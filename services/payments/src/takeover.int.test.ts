import { eventually } from '@holdfast/testing/eventually';
import type { TestResponse } from '@holdfast/testing/services';
import { startProviderProxy, type Interception, type ProviderProxy } from './testing/provider-proxy.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { payinsOf, typesOf } from './testing/topups.js';
import { aWithdrawal, payoutsOf } from './testing/withdrawals.js';

let proxy: ProviderProxy;
let payments: RunningPayments;

beforeAll(async () => {
  proxy = await startProviderProxy();
  payments = await startPayments({ PAYMENT_PROVIDER_URL: proxy.url, SETTLEMENT_TIMEOUT_MS: '60000' });
  proxy.setTarget(payments.sandbox.paymentProviderUrl);
});
// The proxy first, so that the calls of dead processes end.
afterAll(async () => {
  await proxy.stop();
  await payments.stop();
});

/** A process that dies in a call loses its lease, and another one continues. The waiting request gets the response. */
async function dieIn(id: string, form: RegExp, interception: Interception): Promise<TestResponse> {
  proxy.interceptNext(form, interception);
  const requestsBefore = proxy.requests.length;
  const response = payments.post(`/withdrawals/${id}/commit`, {});
  await eventually(() => expect(proxy.requests.slice(requestsBefore).some((each) => form.test(each))).toBe(true));
  if (interception === 'no-response') await eventually(async () => expect(await payoutsOf(payments, id)).toHaveLength(1));
  await loseLease(id);
  return response;
}

async function loseLease(subject: string): Promise<void> {
  await payments.database.asAdmin(
    `update payments.intents set lease_owner = 'another', lease_until = '-infinity' where subject = $1 and closed_at is null`,
    [subject],
  );
}

/** Another process has the intent until then. */
async function takeLease(subject: string, until: string): Promise<void> {
  await payments.database.asAdmin(
    `update payments.intents
     set lease_owner = 'another', lease_token = lease_token + 1, lease_until = $2
     where subject = $1 and closed_at is null`,
    [subject, until],
  );
}

describe('a process that dies', () => {
  it.each<readonly [string, RegExp, Interception]>([
    ['before the payout is created', /^POST \/payouts$/, 'no-request'],
    ['after the payout is created', /^POST \/payouts$/, 'no-response'],
    ['before the payout is committed', /^POST \/payouts\/[^/]+\/commit$/, 'no-request'],
    ['after the payout is committed', /^POST \/payouts\/[^/]+\/commit$/, 'no-response'],
  ])(
    '%s, leaves one payout to another process',
    async (_, form, interception) => {
      const id = await aWithdrawal(payments);
      expect((await dieIn(id, form, interception)).data).toMatchObject({ status: 'WITHDRAWAL_PENDING' });
      expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'COMMITTED', amount: 40 }]);
      await eventually(() =>
        expect(payments.eventsOf(id).map(({ type }) => type)).toEqual([
          'withdrawal.created',
          'withdrawal.committed',
          'withdrawal.pending',
        ]),
      );
    },
    60_000,
  );

  it('has lost its lease while the payout was created, does not commit it; the other process does', async () => {
    const id = await aWithdrawal(payments);
    proxy.interceptNext(/^POST \/payouts$/, async (_, response) => {
      await takeLease(id, 'infinity');
      return response;
    });
    const before = proxy.requests.length;
    const response = payments.post(`/withdrawals/${id}/commit`, {});
    const payoutId = await eventually(async () => {
      const { providerPayoutId } = (await payments.get(`/withdrawals/${id}`)).data;
      expect(providerPayoutId).not.toBeNull();
      return providerPayoutId as string;
    });
    await takeLease(id, '-infinity');
    expect((await response).data).toMatchObject({ status: 'WITHDRAWAL_PENDING', providerPayoutId: payoutId });
    // A list of payouts names the last one in its query, which is not about it.
    const isAbout = (request: string) =>
      request === 'POST /payouts' || request.includes(`/${id}`) || request.includes(`/${payoutId}`);
    expect(proxy.requests.slice(before).filter(isAbout)).toEqual([
      'POST /payouts',
      `GET /payouts/by-code/${id}`,
      `POST /payouts/${payoutId}/commit`,
    ]);
  });

  it('after the pay-in is created, leaves one pay-in to another process', async () => {
    const userId = await payments.aLinkedUser();
    proxy.interceptNext(/^POST \/payins$/, 'no-response');
    const response = payments.post('/topups', { userId, amount: '50.00' });
    const id = await eventually(async () => {
      const [topup] = (await payments.get(`/topups?userId=${userId}`)).data.data;
      expect(await payinsOf(payments, topup.id)).toHaveLength(1);
      return topup.id as string;
    });
    await loseLease(id);
    const { status, data } = await response;
    expect([status, data.status]).toEqual([201, 'TOPUP_AWAITING_USER_CONFIRMATION']);
    expect(await payinsOf(payments, id)).toHaveLength(1);
    await eventually(() => expect(typesOf(payments, id)).toEqual(['topup.created', 'topup.confirmation_required']));
  });
});

describe('a payout that the provider changes or refuses', () => {
  it('with another amount is never committed, but canceled, and the amount is released', async () => {
    const id = await aWithdrawal(payments);
    proxy.interceptNext(/^POST \/payouts$/, (_, response) => ({
      ...response,
      body: { ...(response.body as object), amount: 4_000 },
    }));
    expect((await payments.post(`/withdrawals/${id}/commit`, {})).data).toMatchObject({
      status: 'WITHDRAWAL_FAILED',
      failureReason: 'The payment provider has changed the amount.',
    });
    expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'CANCELED' }]);
  });
});
