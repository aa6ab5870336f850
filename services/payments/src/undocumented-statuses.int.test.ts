import { eventually } from '@holdfast/testing/eventually';
import { startProviderProxy, type ProviderProxy } from './testing/provider-proxy.js';
import { casesAbout } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aTopup, atProvider, makeDue } from './testing/topups.js';
import { aWithdrawal, commit, movePayout } from './testing/withdrawals.js';

let proxy: ProviderProxy;
let payments: RunningPayments;

beforeAll(async () => {
  proxy = await startProviderProxy();
  payments = await startPayments({ PAYMENT_PROVIDER_URL: proxy.url });
  proxy.setTarget(payments.sandbox.paymentProviderUrl);
});
afterEach(() => proxy.setChange(undefined));
afterAll(async () => {
  await proxy.stop();
  await payments.stop();
});

/** The provider has a status that its documentation does not name. */
function setOddStatus(status: string): void {
  proxy.setChange(({ method, path }, response) =>
    method === 'GET' && /^\/(payins|payouts)\//.test(path) && response.status === 200
      ? { ...response, body: { ...(response.body as object), status } }
      : response,
  );
}

const nextPollOf = async (table: 'topups' | 'withdrawals', id: string) =>
  (
    await payments.database.asAdmin<{ readonly at: unknown }>(`select next_poll_at as at from payments.${table} where id = $1`, [
      id,
    ])
  )[0]?.at;

describe('a status that the provider does not document', () => {
  it('of a payout is one case, and is not polled; the withdrawal continues when the status is known', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    setOddStatus('FROZEN');
    await payments.database.asAdmin('update payments.withdrawals set next_poll_at = now() where id = $1', [id]);
    await eventually(async () => expect(await nextPollOf('withdrawals', id)).toBeNull());
    await payments.post(`/withdrawals/${id}/refresh`, {});
    const { userId, providerPayoutId, status } = (await payments.get(`/withdrawals/${id}`)).data;
    expect(status).toBe('WITHDRAWAL_PENDING');
    expect(await casesAbout(payments, userId)).toMatchObject([
      { kind: 'quarantined_record', amount: '0.00', relatedId: id, sourceId: `${providerPayoutId} FROZEN` },
    ]);
    proxy.setChange(undefined);
    await movePayout(payments, id, 'complete');
    expect((await payments.post(`/withdrawals/${id}/refresh`, {})).data).toMatchObject({ status: 'WITHDRAWAL_COMPLETED' });
  });

  it('of a payout that was just created is a case of a pending withdrawal', async () => {
    const id = await aWithdrawal(payments);
    proxy.interceptNext(/^POST \/payouts$/, (_, response) => ({
      ...response,
      body: { ...(response.body as object), status: 'FROZEN' },
    }));
    const { status, userId } = (await commit(payments, id)).data;
    expect(status).toBe('WITHDRAWAL_PENDING');
    expect(await nextPollOf('withdrawals', id)).toBeNull();
    expect(await casesAbout(payments, userId)).toMatchObject([{ kind: 'quarantined_record', relatedId: id }]);
  });

  it('of a pay-in is one case, and is not polled; the top-up continues when the status is known', async () => {
    const topup = await aTopup(payments);
    setOddStatus('FROZEN');
    await makeDue(payments, topup.id);
    await eventually(async () => expect(await nextPollOf('topups', topup.id)).toBeNull());
    await payments.post(`/topups/${topup.id}/refresh`, {});
    expect(await casesAbout(payments, topup.userId)).toMatchObject([
      { kind: 'quarantined_record', amount: '0.00', relatedId: topup.id, sourceId: `${topup.providerPayinId ?? ''} FROZEN` },
    ]);
    proxy.setChange(undefined);
    await atProvider(payments, topup, 'confirm');
    expect((await payments.post(`/topups/${topup.id}/refresh`, {})).data).toMatchObject({ status: 'TOPUP_SUCCEEDED' });
  });
});
