import { idFactory, type NewId } from '@holdfast/kernel/ids';
import { systemClock } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import { parseMoney } from '@holdfast/kernel/money';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { silentLog } from '@holdfast/testing/log';
import { ProviderRefused, type PaymentProvider } from '../use-cases/provider-ports.js';
import { createPaymentProvider } from './payment-provider.js';

const newId: NewId = idFactory(systemClock().epochMs);
const unlimited = { take: () => Promise.resolve(), empty: () => Promise.resolve() };
const usd = (text: string) => parseMoney(text, 'USD');

let sandbox: Sandbox;
let provider: PaymentProvider;
/** Gives up earlier on calls that the sandbox holds. */
let impatient: PaymentProvider;

beforeAll(async () => {
  sandbox = await startSandbox({ log: silentLog });
  const { paymentProviderUrl: baseUrl, paymentUser: key, paymentPassword: secret } = sandbox;
  const options = { baseUrl, key, secret, budget: unlimited, readRetryMs: 1 };
  provider = createPaymentProvider({ ...options, timeoutMs: 10_000 });
  impatient = createPaymentProvider({ ...options, timeoutMs: 500 });
});
afterEach(() => fetch(`${sandbox.controlUrl}/faults`, { method: 'DELETE' }));
afterAll(async () => {
  await Promise.all([provider.close(), impatient.close()]);
  await sandbox.close();
});

function control(path: string, body: unknown = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${sandbox.controlUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function plantFault(operation: string, kind: string): Promise<void> {
  const planted = await control('/faults', { target: 'payment-provider', operation, kind, times: 1 });
  expect(planted.ok).toBe(true);
}

const aPayin = (amount = '12.50') => ({
  code: newId('topup'),
  amount: usd(amount),
  description: 'Top-up',
  confirmationUri: 'https://shop.example/back',
  cancelUri: 'https://shop.example/sorry',
});
const aPayout = (amount = '3.01') => ({
  code: newId('wd'),
  email: 'seller@example.com',
  amount: usd(amount),
  notes: 'Withdrawal',
  internalNote: 'DE00 1234',
});

describe('users', () => {
  it.each([
    ['someone@example.com', true, true],
    ['inactive@example.com', false, true],
    ['unverified@example.com', true, false],
  ])('%s: active %s, verified %s', async (email, isActive, isVerified) => {
    expect(await provider.findUser(email)).toEqual({ id: expect.any(String) as string, isActive, isVerified });
  });

  it('an unknown e-mail address is undefined', async () => {
    expect(await provider.findUser('unknown+plus/slash@example.com')).toBeUndefined();
  });
});

describe('pay-ins', () => {
  it('are created, found by id and by code, and canceled', async () => {
    const payin = aPayin();
    const created = await provider.createPayin(payin);
    expect(created).toEqual({
      providerId: created.providerId,
      code: payin.code,
      amount: usd('12.50'),
      outcome: 'open',
      reason: null,
      confirmationUri: `${sandbox.paymentProviderUrl}/checkout/${created.providerId}`,
    });
    expect(await provider.findPayin(created.providerId)).toEqual(created);
    expect(await provider.findPayinByCode(payin.code)).toEqual(created);
    await provider.cancelPayin(created.providerId);
    expect((await provider.findPayin(created.providerId))?.outcome).toBe('canceled');
  });

  it('are undefined if the provider does not know them', async () => {
    expect(await provider.findPayin('no-such-payin')).toBeUndefined();
    expect(await provider.findPayinByCode(newId('topup'))).toBeUndefined();
  });

  it('succeed or fail with a reason', async () => {
    const confirmed = await provider.createPayin(aPayin());
    await control(`/payins/${confirmed.providerId}/confirm`);
    expect((await provider.findPayin(confirmed.providerId))?.outcome).toBe('succeeded');
    const failed = await provider.createPayin(aPayin());
    await control(`/payins/${failed.providerId}/fail`, { reason: 'declined' });
    expect(await provider.findPayin(failed.providerId)).toMatchObject({
      outcome: 'failed',
      reason: { code: null, text: 'declined' },
    });
  });

  it('that have ended cannot be canceled', async () => {
    const { providerId } = await provider.createPayin(aPayin());
    await control(`/payins/${providerId}/confirm`);
    await expect(provider.cancelPayin(providerId)).rejects.toMatchObject({ name: 'ProviderRefused', code: '415032' });
  });

  it('with a code that exists have an unknown outcome, because the first request was successful', async () => {
    const payin = aPayin();
    await provider.createPayin(payin);
    await expect(provider.createPayin(payin)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('payouts', () => {
  it('move only after the commit', async () => {
    const payout = aPayout();
    const created = await provider.createPayout(payout);
    expect(created).toEqual({
      providerId: created.providerId,
      code: payout.code,
      amount: usd('3.01'),
      outcome: 'created',
      reason: null,
    });
    await provider.commitPayout(created.providerId);
    expect((await provider.findPayoutByCode(payout.code))?.outcome).toBe('pending');
    await control(`/payouts/${created.providerId}/require-action`);
    expect((await provider.findPayout(created.providerId))?.outcome).toBe('user-action');
    await control(`/payouts/${created.providerId}/complete`);
    expect((await provider.findPayout(created.providerId))?.outcome).toBe('completed');
  });

  it('fail with code and reason, and are canceled', async () => {
    const failed = await provider.createPayout(aPayout());
    await provider.commitPayout(failed.providerId);
    await control(`/payouts/${failed.providerId}/fail`, { reason: 'closed account' });
    expect(await provider.findPayout(failed.providerId)).toMatchObject({
      outcome: 'failed',
      reason: { code: 'PAYOUT_FAILED', text: 'closed account' },
    });
    const canceled = await provider.createPayout(aPayout());
    await provider.cancelPayout(canceled.providerId);
    expect((await provider.findPayout(canceled.providerId))?.outcome).toBe('canceled');
    expect(await provider.findPayout('no-such-payout')).toBeUndefined();
  });

  it('have an unknown outcome when they are committed twice: the first commit counts', async () => {
    const { providerId } = await provider.createPayout(aPayout());
    await provider.commitPayout(providerId);
    await expect(provider.commitPayout(providerId)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('above the balance at the provider are refused', async () => {
    const { providerId } = await provider.createPayout(aPayout('99000000.00'));
    const refusal = await provider.commitPayout(providerId).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProviderRefused);
    expect(refusal).toMatchObject({ code: '415016', message: 'Insufficient balance' });
  });
});

describe('the statement', () => {
  it('has all confirmed pay-ins and completed payouts', async () => {
    const confirmed = await provider.createPayin(aPayin('7.77'));
    await control(`/payins/${confirmed.providerId}/confirm`);
    const open = await provider.createPayin(aPayin());
    const completed = await provider.createPayout(aPayout('2.22'));
    await provider.commitPayout(completed.providerId);
    await control(`/payouts/${completed.providerId}/complete`);
    const { payins, payouts } = await provider.statement();
    expect(payins).toContainEqual({
      providerId: confirmed.providerId,
      code: confirmed.code,
      amount: usd('7.77'),
      feeUnits: 300_000n,
    });
    expect(payins.map(({ providerId }) => providerId)).not.toContain(open.providerId);
    expect(payouts).toContainEqual({
      providerId: completed.providerId,
      code: completed.code,
      amount: usd('2.22'),
      feeUnits: 100_000n,
    });
  });
});

describe('faults', () => {
  const codeOf = (error: unknown): string => (isAppError(error) ? error.code : String(error));
  const kinds = [
    ['error-before-effect', 'SERVICE_UNAVAILABLE', false],
    ['rate-limited', 'SERVICE_UNAVAILABLE', false],
    ['error-after-effect', 'SERVICE_UNAVAILABLE', true],
    ['malformed', 'SERVICE_UNAVAILABLE', true],
    ['timeout-after-effect', 'PROVIDER_TIMEOUT', true],
  ] as const;

  const clientFor = (kind: string): PaymentProvider => (kind === 'timeout-after-effect' ? impatient : provider);

  it.each(kinds)('create-payin with %s is %s; the look-up shows whether it exists: %s', async (kind, expected, exists) => {
    const payin = aPayin();
    await plantFault('create-payin', kind);
    expect(await clientFor(kind).createPayin(payin).catch(codeOf)).toBe(expected);
    expect((await provider.findPayinByCode(payin.code)) !== undefined).toBe(exists);
  });

  it.each(kinds)('create-payout with %s is %s; the look-up shows whether it exists: %s', async (kind, expected, exists) => {
    const payout = aPayout();
    await plantFault('create-payout', kind);
    expect(await clientFor(kind).createPayout(payout).catch(codeOf)).toBe(expected);
    expect((await provider.findPayoutByCode(payout.code)) !== undefined).toBe(exists);
  });

  it.each(kinds.filter(([kind]) => kind !== 'malformed'))(
    'commit with %s is %s; the look-up shows whether it is committed: %s',
    async (kind, expected, isCommitted) => {
      const { providerId } = await provider.createPayout(aPayout());
      await plantFault('commit', kind);
      expect(await clientFor(kind).commitPayout(providerId).catch(codeOf)).toBe(expected);
      expect((await provider.findPayout(providerId))?.outcome).toBe(isCommitted ? 'pending' : 'created');
    },
  );

  it('a commit whose response is malformed is unknown', async () => {
    const { providerId } = await provider.createPayout(aPayout());
    await plantFault('commit', 'malformed');
    expect(await provider.commitPayout(providerId).catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
  });

  it.each(['error-before-effect', 'rate-limited', 'error-after-effect', 'malformed'])(
    'a look-up is retried after %s',
    async (kind) => {
      const created = await provider.createPayin(aPayin());
      await plantFault('read', kind);
      expect(await provider.findPayin(created.providerId)).toEqual(created);
    },
  );

  it('a look-up that gets no response in time is not retried', async () => {
    const created = await provider.createPayin(aPayin());
    await plantFault('read', 'timeout-after-effect');
    expect(await impatient.findPayin(created.providerId).catch(codeOf)).toBe('PROVIDER_TIMEOUT');
  });

  it('a slow response is a response', async () => {
    const created = await provider.createPayin(aPayin());
    await control('/faults', { target: 'payment-provider', operation: 'read', kind: 'latency', latencyMs: 50, times: 1 });
    expect(await provider.findPayin(created.providerId)).toEqual(created);
  });

  it('wrong credentials are not a refusal for good', async () => {
    const { paymentProviderUrl: baseUrl } = sandbox;
    const credentials = { key: 'who', secret: 'knows' };
    const stranger = createPaymentProvider({ baseUrl, ...credentials, budget: unlimited, timeoutMs: 10_000, readRetryMs: 1 });
    expect(await stranger.createPayin(aPayin()).catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
    expect(await stranger.findPayin('some-payin').catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
    await stranger.close();
  });

  it('an aborted call rejects', async () => {
    expect(await provider.createPayin(aPayin(), { signal: AbortSignal.abort() }).catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
  });
});
