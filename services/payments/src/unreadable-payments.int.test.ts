import { startProviderProxy, type ProviderProxy } from './testing/provider-proxy.js';
import { anOpenTopup, casesAbout, receivePayin, reportOf } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';

let payments: RunningPayments;
let proxy: ProviderProxy;
beforeAll(async () => {
  proxy = await startProviderProxy();
  payments = await startPayments({ PAYMENT_PROVIDER_URL: proxy.url });
  proxy.setTarget(payments.sandbox.paymentProviderUrl);
});
afterAll(async () => {
  await payments.stop();
  await proxy.stop();
});

type Listed = { readonly items: readonly { readonly id: string }[] };

/** The provider lists this pay-in with an amount that is none. */
function listWithout(payinId: string): void {
  proxy.setChange(({ path }, { status, body }) => {
    if (!path.startsWith('/payins?')) return { status, body };
    const { items, ...page } = body as Listed;
    return { status, body: { ...page, items: items.map((item) => (item.id === payinId ? { ...item, amount: 'much' } : item)) } };
  });
}

describe('a payment whose amount cannot be read', () => {
  it('is one case, and the others are reported', async () => {
    const [odd, other] = [await anOpenTopup(payments), await anOpenTopup(payments, '20.00')];
    for (const { payinId, id } of [odd, other]) {
      await receivePayin(payments, payinId);
      await payments.post(`/topups/${id}/refresh`, {});
    }
    listWithout(odd.payinId);
    for (let round = 0; round < 2; round += 1)
      expect(await reportOf(payments)).toMatchObject({ unavailable: [], journal: '50.00', difference: '0.00' });
    expect(await casesAbout(payments, odd.payinId, other.payinId)).toMatchObject([
      { kind: 'quarantined_record', sourceId: odd.payinId, amount: '0.00', userId: odd.userId },
    ]);
  });
});
