import { aPayin, aPayout } from '../testing/payments.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runSandbox();
});
afterAll(() => sandbox.close());

const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString('base64')}` });
const request = (method: string, path: string, body?: unknown) =>
  sandbox.request(
    method,
    `${sandbox.paymentProviderUrl}${path}`,
    body,
    basic(`${sandbox.paymentUser}:${sandbox.paymentPassword}`),
  );
const newPayin = (code: string, more: object = {}) => request('POST', '/payins', { ...aPayin(code, 12.5), ...more });
const newPayout = (code: string, more: object = {}) => request('POST', '/payouts', { ...aPayout(code, 10), ...more });
const float = async (): Promise<number> => Number((await sandbox.control('GET', '/state')).body.paymentFloat);

describe('payins', () => {
  it('are created once per code, found by it, and confirmed through the control route', async () => {
    const before = await float();
    const created = await newPayin('topup_1');
    expect(created).toMatchObject({
      status: 200,
      body: { code: 'topup_1', status: 'CREATED', amount: 12.5, netAmount: 12.44, airtmFee: 0.06 },
    });
    expect(await newPayin('topup_1')).toMatchObject({ status: 409, body: { code: '415029' } });
    expect((await request('GET', '/payins/by-code/topup_1')).body.id).toBe(created.body.id);

    expect(await sandbox.control('POST', `/payins/${created.body.id}/confirm`)).toMatchObject({ body: { status: 'CONFIRMED' } });

    expect(await request('GET', `/payins/${created.body.id}`)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
    expect(await sandbox.control('POST', `/payins/${created.body.id}/fail`)).toMatchObject({
      status: 409,
      body: { code: '415032' },
    });
    expect(await request('DELETE', `/payins/${created.body.id}`)).toMatchObject({ status: 409, body: { code: '415032' } });
    expect((await float()) - before).toBeCloseTo(12.44, 7);
    expect((await request('GET', '/me/balance')).body).toEqual({ balance: await float() });
  });

  it('are confirmed, declined or canceled on their checkout page, which redirects back', async () => {
    const uris = { confirmationUri: 'http://shop.example/thanks', cancelUri: 'http://shop.example/sorry' };
    const { body } = await newPayin('topup_2', { description: '<script>' });
    const page = await fetch(body.confirmationUri);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('<script>');
    const confirmed = await fetch(`${body.confirmationUri}/confirm`, { method: 'POST', redirect: 'manual' });
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, uris.confirmationUri]);
    const declined = (await newPayin('topup_declined')).body;
    const failed = await fetch(`${declined.confirmationUri}/fail`, { method: 'POST', redirect: 'manual' });
    expect(failed.headers.get('location')).toBe(uris.confirmationUri);
    expect((await request('GET', `/payins/${declined.id}`)).body.status).toBe('FAILED');
    const other = (await newPayin('topup_3')).body;
    const canceled = await fetch(`${other.confirmationUri}/cancel`, { method: 'POST', redirect: 'manual' });
    expect(canceled.headers.get('location')).toBe(uris.cancelUri);
    expect((await request('GET', `/payins/${other.id}`)).body.status).toBe('CANCELED');
    expect(await request('DELETE', `/payins/${other.id}`)).toMatchObject({ status: 409, body: { code: '415030' } });
  });

  it('are confirmed late and in another amount through the control route', async () => {
    const { body } = await newPayin('topup_late');
    await request('DELETE', `/payins/${body.id}`);
    const late = await sandbox.control('POST', `/payins/${body.id}/confirm`, { amount: '7.25' });
    expect(late.body).toMatchObject({ status: 'CONFIRMED', amount: 7.25 });
    expect(await sandbox.control('POST', `/payins/${body.id}/confirm`)).toMatchObject({ status: 409, body: { code: '415032' } });
    expect((await sandbox.control('POST', `/payins/${body.id}/confirm`, { amount: '-1' })).status).toBe(400);
  });

  it('fail with a reason', async () => {
    const { body } = await newPayin('topup_4');
    await sandbox.control('POST', `/payins/${body.id}/fail`, { reason: 'card declined' });
    expect((await request('GET', `/payins/${body.id}`)).body).toMatchObject({ status: 'FAILED', failureReason: 'card declined' });
  });

  it.each([
    { amount: 0 },
    { amount: -1 },
    { amount: '5' },
    { amount: 12.51 },
    { code: '' },
    { items: [] },
    { items: [{ description: 'Free', amount: 0, quantity: 1 }] },
    { description: 'x'.repeat(251) },
    { confirmationUri: undefined },
    { cancelUri: 'nowhere' },
  ])('400 for %j', async (more) => {
    expect(await newPayin('topup_bad', more)).toMatchObject({ status: 400, body: { code: '415901' } });
  });
});

describe('payouts', () => {
  it('are committed, then completed, failed, or pending user action', async () => {
    const before = await float();
    const { body } = await newPayout('wd_1');
    expect(body).toMatchObject({
      status: 'CREATED',
      code: 'wd_1',
      airtmUserEmail: 'seller@example.com',
      grossAmount: 10.05,
      amount: 10,
      airtmFee: 0.05,
    });
    expect(body).not.toHaveProperty('reasonCode');
    expect(await newPayout('wd_1')).toMatchObject({ status: 409, body: { code: '415056' } });
    expect(await request('POST', `/payouts/${body.id}/commit`)).toEqual({ status: 204, body: undefined });
    expect(await request('POST', `/payouts/${body.id}/commit`)).toMatchObject({ status: 409, body: { code: '415027' } });
    expect((await request('GET', '/payouts/by-code/wd_1')).body.status).toBe('COMMITTED');
    await sandbox.control('POST', `/payouts/${body.id}/require-action`);
    expect((await request('GET', `/payouts/${body.id}`)).body.status).toBe('PENDING_USER_ACTION');
    await sandbox.control('POST', `/payouts/${body.id}/resume`);
    expect((await request('GET', `/payouts/${body.id}`)).body.status).toBe('PENDING');
    await sandbox.control('POST', `/payouts/${body.id}/complete`);
    expect((await request('GET', `/payouts/${body.id}`)).body.status).toBe('COMPLETED');
    expect(before - (await float())).toBeCloseTo(10.05, 7);

    const failing = (await newPayout('wd_2', { commit: true })).body;
    expect(failing.status).toBe('COMMITTED');
    await sandbox.control('POST', `/payouts/${failing.id}/fail`, { reason: 'account closed' });
    expect((await request('GET', `/payouts/${failing.id}`)).body).toMatchObject({
      status: 'FAILED',
      reasonCode: 'PAYOUT_FAILED',
      reasonDescription: 'account closed',
    });
  });

  it('cannot exceed the float of the platform', async () => {
    const { body } = await newPayout('wd_3', { amount: 99_000_000 });
    expect(await request('POST', `/payouts/${body.id}/commit`)).toMatchObject({ status: 400, body: { code: '415016' } });
    expect(await newPayout('wd_4', { amount: 99_000_000, commit: true })).toMatchObject({
      status: 400,
      body: { code: '415016' },
    });
    expect(await request('GET', '/payouts/by-code/wd_4')).toMatchObject({ status: 404, body: { code: '415005' } });
    expect(await request('DELETE', `/payouts/${body.id}`)).toMatchObject({ body: { status: 'CANCELED' } });
  });

  it('are canceled before they are paid, and not after', async () => {
    const { body } = await newPayout('wd_canceled');
    expect(await request('DELETE', `/payouts/${body.id}`)).toMatchObject({ status: 200, body: { status: 'CANCELED' } });
    expect(await request('DELETE', `/payouts/${body.id}`)).toMatchObject({ status: 409, body: { code: '415055' } });
  });

  it.each([{ airtmUserEmail: undefined }, { notes: undefined }, { amount: 0 }])('400 for %j', async (more) => {
    expect(await newPayout('wd_bad', more)).toMatchObject({ status: 400, body: { code: '415901' } });
  });

  it('are listed in pages, in both directions', async () => {
    const first = (await request('GET', '/payouts?perPage=1')).body;
    const second = (await request('GET', `/payouts?perPage=1&after=${first.endCursor}`)).body;
    const back = (await request('GET', `/payouts?perPage=1&before=${second.startCursor}`)).body;
    expect(first.items).toMatchObject([{ code: 'wd_1' }]);
    expect(second.items).toMatchObject([{ code: 'wd_2' }]);
    expect(back.items).toMatchObject([{ code: 'wd_1' }]);
  });

  it('are deducted from the balance that the provider reports', async () => {
    const { body } = await request('GET', '/me/balance');
    expect(body.balance).toBe(await float());
  });
});

describe('callers and users', () => {
  it('401 for the wrong password', async () => {
    const response = await sandbox.request('GET', `${sandbox.paymentProviderUrl}/users/a@b.c`, undefined, basic('sandbox:wrong'));
    expect(response).toMatchObject({ status: 401, body: { code: '415904' } });
  });

  it.each([
    ['anna@example.com', 200, { status: 'active', isVerified: true }],
    ['inactive@example.com', 200, { status: 'inactive' }],
    ['unverified@example.com', 200, { isVerified: false }],
    ['unknown@example.com', 404, { code: '415010' }],
  ])('%s is %d', async (email, status, body) => {
    expect(await request('GET', `/users/${email}`)).toMatchObject({ status, body });
  });
});

describe('faults of the payment provider', () => {
  const strike = (operation: string, kind: string) =>
    sandbox.control('POST', '/faults', { target: 'payment-provider', operation, kind, times: 1 });

  it('hide the result of a creation, which a look-up finds', async () => {
    await strike('create-payin', 'error-after-effect');
    expect((await newPayin('topup_lost')).status).toBe(500);
    expect(await request('GET', '/payins/by-code/topup_lost')).toMatchObject({ status: 200 });
  });

  it('prevent a creation', async () => {
    await strike('create-payout', 'error-before-effect');
    expect((await newPayout('wd_never')).status).toBe(500);
    expect((await request('GET', '/payouts/by-code/wd_never')).status).toBe(404);
  });
});

describe('an automatic sandbox', () => {
  it('confirms payins and completes payouts', async () => {
    const automatic = await runSandbox({ isAutomatic: true });
    const post = (path: string, body: object) =>
      automatic.request('POST', `${automatic.paymentProviderUrl}${path}`, body, basic('sandbox:sandbox'));
    expect((await post('/payins', aPayin('a', 1))).body.status).toBe('CONFIRMED');
    expect((await post('/payouts', { ...aPayout('a', 1), commit: true })).body.status).toBe('COMPLETED');
    await automatic.close();
  });
});
