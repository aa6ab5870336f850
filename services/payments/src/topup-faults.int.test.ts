import { randomUUID } from 'node:crypto';
import { eventually } from '@holdfast/testing/eventually';
import { startProviderProxy, type Change, type ProviderProxy } from './testing/provider-proxy.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aTopup, atProvider, clearFaults, payinsOf, setFault, statusOf, typesOf, type PayinFault } from './testing/topups.js';

let proxy: ProviderProxy;
let payments: RunningPayments;

beforeAll(async () => {
  proxy = await startProviderProxy();
  payments = await startPayments({ PAYMENT_PROVIDER_URL: proxy.url }, { providerTimeoutMs: 1_000 });
  proxy.setTarget(payments.sandbox.paymentProviderUrl);
});

afterEach(async () => {
  proxy.setChange(undefined);
  await clearFaults(payments);
});
afterAll(async () => {
  await payments.stop();
  await proxy.stop();
});

const refusal = (code: string, message = 'refused') => ({ status: 400, body: { code, message } });

async function becomes(id: string, status: string): Promise<void> {
  await eventually(async () => expect(await statusOf(payments, id)).toBe(status));
}

async function isCreditedOnce(id: string): Promise<void> {
  const { data } = await payments.get(`/topups/${id}`);
  expect(await payinsOf(payments, id)).toHaveLength(1);
  await atProvider(payments, data, 'confirm');
  await payments.post(`/topups/${id}/refresh`, {});
  await becomes(id, 'TOPUP_SUCCEEDED');
  expect(payments.ledger.balanceOf(data.userId).available).toBe(data.amount);
}

describe('creating the pay-in', () => {
  const faults: readonly (PayinFault & { readonly latencyMs?: number })[] = [
    { operation: 'create-payin', kind: 'error-before-effect', times: 2 },
    { operation: 'create-payin', kind: 'error-after-effect', times: 1 },
    { operation: 'create-payin', kind: 'malformed', times: 1 },
    { operation: 'create-payin', kind: 'rate-limited', times: 2 },
    { operation: 'create-payin', kind: 'latency', times: 1, latencyMs: 200 },
  ];
  it.each(faults)('201 with one pay-in in spite of $kind', async (fault) => {
    await setFault(payments, fault);
    const { id } = await aTopup(payments);
    await isCreditedOnce(id);
  });

  it('201 with one pay-in after a time-out, although the look-up fails at first', async () => {
    const userId = await payments.aLinkedUser();
    await setFault(payments, { operation: 'create-payin', kind: 'timeout-after-effect', times: 1 });
    await setFault(payments, { operation: 'read', kind: 'error-before-effect', times: 4 });
    const { id } = await aTopup(payments, { userId });
    await isCreditedOnce(id);
  });

  it('422 PAYMENT_REFUSED with the reason if the provider refuses, also for a repeat', async () => {
    proxy.setChange(({ method }, response) => (method === 'POST' ? refusal('415034', 'Airtm refuses this card.') : response));
    const userId = await payments.aLinkedUser();
    const operationId = randomUUID();
    const create = () => payments.post('/topups', { userId, amount: '50.00' }, { operationId });
    const { status, code, details } = await create();
    expect({ status, code }).toEqual({ status: 422, code: 'PAYMENT_REFUSED' });
    const reason = 'The payment provider refuses this card.';
    expect(details).toMatchObject({ topupId: expect.stringMatching(/^topup_/), reason, errorCode: '415034' });
    expect(await create()).toMatchObject({ status: 422, details: { topupId: details['topupId'] } });
    const topupId = String(details['topupId']);
    expect((await payments.get(`/topups/${topupId}`)).data).toMatchObject({
      status: 'TOPUP_FAILED',
      failureReason: reason,
      errorCode: '415034',
    });
    await eventually(() => expect(typesOf(payments, topupId)).toEqual(['topup.created', 'topup.failed']));
  });

  it.each([{ amount: 51 }, { code: 'topup_other' }])('422 PAYMENT_REFUSED if the pay-in differs: %j', async (fields) => {
    const change: Change = ({ method }, response) =>
      method === 'POST' ? { ...response, body: { ...(response.body as object), ...fields } } : response;
    proxy.setChange(change);
    const userId = await payments.aLinkedUser();
    const { code, details } = await payments.post('/topups', { userId, amount: '50.00' });
    expect(code).toBe('PAYMENT_REFUSED');
    expect(await statusOf(payments, String(details['topupId']))).toBe('TOPUP_FAILED');
  });
});

describe('reading the status', () => {
  it.each(['error-before-effect', 'error-after-effect', 'malformed', 'rate-limited'])(
    'credits once in spite of %s',
    async (kind) => {
      const topup = await aTopup(payments);
      await atProvider(payments, topup, 'confirm');
      await setFault(payments, { operation: 'read', kind, times: 1 });
      const { status } = await payments.post(`/topups/${topup.id}/refresh`, {});
      expect([200, 503]).toContain(status);
      await clearFaults(payments);
      expect((await payments.post(`/topups/${topup.id}/refresh`, {})).data.status).toBe('TOPUP_SUCCEEDED');
      expect(payments.ledger.balanceOf(topup.userId).available).toBe('50.00');
    },
  );

  it('503 SERVICE_UNAVAILABLE while the provider fails, and the top-up stays as it is', async () => {
    const topup = await aTopup(payments);
    await setFault(payments, { operation: 'read', kind: 'error-before-effect' });
    expect((await payments.post(`/topups/${topup.id}/refresh`, {})).code).toBe('SERVICE_UNAVAILABLE');
    await clearFaults(payments);
    await eventually(async () => expect((await payments.post(`/topups/${topup.id}/refresh`, {})).data).toEqual(topup));
  });
});

describe('canceling the pay-in', () => {
  it('200 if the response was lost', async () => {
    const { id } = await aTopup(payments);
    proxy.setChange(({ method }, response) => (method === 'DELETE' ? { status: 500, body: {} } : response));
    const { status, data } = await payments.post(`/topups/${id}/cancel`, {});
    expect([status, data.status]).toEqual([200, 'TOPUP_CANCELED']);
    expect(await payinsOf(payments, id)).toMatchObject([{ status: 'CANCELED' }]);
  });

  it('409 INVALID_STATE if the provider does not cancel, and the top-up continues', async () => {
    const topup = await aTopup(payments);
    proxy.setChange(({ method }, response) => {
      if (method === 'DELETE') return refusal('415030');
      return { ...response, body: { ...(response.body as object), status: 'CREATED' } };
    });
    const { status, code, details } = await payments.post(`/topups/${topup.id}/cancel`, {});
    expect({ status, code }).toEqual({ status: 409, code: 'INVALID_STATE' });
    expect(details).toMatchObject({ currentStatus: 'TOPUP_AWAITING_USER_CONFIRMATION', reason: expect.any(String) });
    proxy.setChange(undefined);
    expect((await payments.post(`/topups/${topup.id}/refresh`, {})).data.status).toBe('TOPUP_CANCELED');
  });
});

describe('a provider that is down', () => {
  let slow: RunningPayments;
  beforeAll(async () => {
    slow = await startPayments({ SETTLEMENT_TIMEOUT_MS: '700' });
  });
  afterEach(() => clearFaults(slow));
  afterAll(() => slow.stop());

  async function stuckTopup(): Promise<string> {
    await setFault(slow, { operation: 'create-payin', kind: 'error-before-effect' });
    const userId = await slow.aLinkedUser();
    const { status, code, details } = await slow.post('/topups', { userId, amount: '50.00' });
    expect({ status, code }).toEqual({ status: 504, code: 'PROVIDER_TIMEOUT' });
    const id = String(details['topupId']);
    expect(await statusOf(slow, id)).toBe('TOPUP_CREATED');
    return id;
  }

  it('504 PROVIDER_TIMEOUT with the top-up, which continues by itself', async () => {
    const id = await stuckTopup();
    expect((await slow.post(`/topups/${id}/refresh`, {})).status).toBe(504);
    await clearFaults(slow);
    await eventually(async () => expect(await statusOf(slow, id)).toBe('TOPUP_AWAITING_USER_CONFIRMATION'));
    expect(await payinsOf(slow, id)).toHaveLength(1);
  });

  it('lets a top-up be canceled before its pay-in exists', async () => {
    const id = await stuckTopup();
    await slow.post(`/topups/${id}/cancel`, {});
    await eventually(async () => expect(await statusOf(slow, id)).toBe('TOPUP_CANCELED'));
    expect(await payinsOf(slow, id)).toHaveLength(0);
    await eventually(() => expect(typesOf(slow, id)).toEqual(['topup.created', 'topup.canceled']));
  });

  it('cancels a pay-in that was created while its creation was being canceled', async () => {
    const userId = await slow.aLinkedUser();
    await setFault(slow, { operation: 'create-payin', kind: 'timeout-after-effect', times: 1 });
    const { details } = await slow.post('/topups', { userId, amount: '50.00' });
    const id = String(details['topupId']);
    expect((await slow.post(`/topups/${id}/cancel`, {})).status).toBe(504);
    await clearFaults(slow);
    await eventually(async () => expect(await statusOf(slow, id)).toBe('TOPUP_CANCELED'));
    expect(await payinsOf(slow, id)).toMatchObject([{ status: 'CANCELED' }]);
  });
});
