import { startPayments, type RunningPayments } from '../testing/running-payments.js';
import { startProviderProxy, type ProviderProxy } from '../testing/provider-proxy.js';
import { aTopup, atProvider, clearFaults, returnBrowser, setFault, statusOf } from '../testing/topups.js';

let proxy: ProviderProxy;
let payments: RunningPayments;

beforeAll(async () => {
  proxy = await startProviderProxy();
  payments = await startPayments({
    PAYMENT_PROVIDER_URL: proxy.url,
    TOPUP_CANCEL_URL: 'https://platform.example/canceled',
    REDIRECT_HOSTS: 'shop.example, other.example:8443',
  });
  proxy.setTarget(payments.sandbox.paymentProviderUrl);
});

afterEach(() => clearFaults(payments));
afterAll(async () => {
  await payments.stop();
  await proxy.stop();
});

const urls = { returnUrl: 'https://shop.example/paid?cart=7', cancelUrl: 'https://shop.example/cart' };

it('400 VALIDATION_ERROR for a returnUrl or cancelUrl of another host, if the hosts are limited', async () => {
  const userId = await payments.aLinkedUser();
  const create = (given: object) => payments.post('/topups', { userId, amount: '50.00', ...given });
  for (const url of [
    'https://evil.example/',
    'https://shop.example@evil.example/',
    'https://shop.example:8443/',
    'https://other.example/',
  ])
    for (const field of ['returnUrl', 'cancelUrl']) expect((await create({ [field]: url })).code).toBe('VALIDATION_ERROR');
  expect((await create({ returnUrl: 'https://other.example:8443/paid' })).status).toBe(201);
});

async function locationOf(id: string, query?: string): Promise<string | null> {
  const { status, headers } = await returnBrowser(payments, id, query);
  expect(status).toBe(302);
  return headers.get('location');
}

describe('GET /topups/{id}/callback', () => {
  it('302 to the returnUrl, once the payment is credited', async () => {
    const topup = await aTopup(payments, urls);
    await atProvider(payments, topup, 'confirm');
    expect(await locationOf(topup.id)).toBe(urls.returnUrl);
    expect(await statusOf(payments, topup.id)).toBe('TOPUP_SUCCEEDED');
    expect(payments.ledger.balanceOf(topup.userId).available).toBe('50.00');
  });

  it.each(['cancel', 'fail'] as const)('302 to the cancelUrl after %s, whatever the URL says', async (move) => {
    const topup = await aTopup(payments, urls);
    await atProvider(payments, topup, move);
    expect(await locationOf(topup.id, '?status=confirmed')).toBe(urls.cancelUrl);
  });

  it('302 by the status in the URL while the provider has not decided', async () => {
    const { id } = await aTopup(payments, urls);
    expect(await locationOf(id, '?status=canceled')).toBe(urls.cancelUrl);
    expect(await locationOf(id, '')).toBe(urls.returnUrl);
    expect(await statusOf(payments, id)).toBe('TOPUP_AWAITING_USER_CONFIRMATION');
  });

  it('302 to the configured URL of a canceled top-up without URLs', async () => {
    const topup = await aTopup(payments);
    await atProvider(payments, topup, 'cancel');
    expect(await locationOf(topup.id)).toBe('https://platform.example/canceled');
  });

  it('200 with a page that says what happened, without URLs', async () => {
    const topup = await aTopup(payments);
    await atProvider(payments, topup, 'confirm');
    const { status, text, headers } = await returnBrowser(payments, topup.id);
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(text).toContain('50.00 USD');
    expect(text).toContain('The payment was credited.');
    expect(headers.get('content-security-policy')).toContain("style-src 'sha256-");
  });

  it('never redirects to a URL of the request', async () => {
    const { id } = await aTopup(payments);
    const query = '?status=confirmed&returnUrl=https://evil.example&cancelUrl=https://evil.example&url=//evil.example';
    const { status, text, headers } = await returnBrowser(payments, id, query);
    expect([status, headers.get('location'), text.includes('evil')]).toEqual([200, null, false]);
  });

  it('reads the status at the provider at most once in five seconds', async () => {
    const { id, providerPayinId } = await aTopup(payments, urls);
    const countReads = () => proxy.requests.filter((request) => request === `GET /payins/${providerPayinId}`).length;
    const setReturned = (returnedAt: string) =>
      payments.database.asAdmin(`update payments.topups set next_poll_at = null, returned_at = ${returnedAt} where id = $1`, [
        id,
      ]);
    await setReturned(`now() + interval '1 hour'`);
    const before = countReads();
    await Promise.all(Array.from({ length: 5 }, () => returnBrowser(payments, id)));
    expect(countReads()).toBe(before);
    await setReturned(`now() - interval '6 seconds'`);
    await returnBrowser(payments, id);
    expect(countReads()).toBe(before + 1);
  });

  it('302 also while the provider fails', async () => {
    const { id } = await aTopup(payments, urls);
    await setFault(payments, { operation: 'read', kind: 'error-before-effect' });
    expect(await locationOf(id)).toBe(urls.returnUrl);
  });

  it('404 TOPUP_NOT_FOUND for unknown and malformed ids', async () => {
    for (const id of [payments.newId('topup'), 'nothing', '..%2f..']) {
      expect((await returnBrowser(payments, id)).status).toBe(404);
    }
  });
});
