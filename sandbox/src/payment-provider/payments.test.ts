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
const newPayin = (code: string, more: object = {}) =>
  request('POST', '/payins', { code, amount: 12.5, description: 'Top-up', items: [], ...more });
const newPayout = (code: string, more: object = {}) =>
  request('POST', '/payouts', { code, amount: 10, email: 'seller@example.com', notes: '', ...more });
const float = async (): Promise<number> => Number((await sandbox.control('GET', '/state')).body.paymentFloat);

describe('payins', () => {
  it('are created once per code, found by it, and confirmed through the control route', async () => {
    const before = await float();
    const created = await newPayin('topup_1');
    expect(created).toMatchObject({
      status: 201,
      body: { code: 'topup_1', status: 'CREATED', amount: 12.5, netAmount: 12.5, fee: 0 },
    });
    expect(await newPayin('topup_1')).toMatchObject({ status: 409, body: { code: '415029' } });
    expect((await request('GET', '/payins/by-code/topup_1')).body.id).toBe(created.body.id);

    expect(await sandbox.control('POST', `/payins/${created.body.id}/confirm`)).toMatchObject({ body: { status: 'CONFIRMED' } });

    expect(await request('GET', `/payins/${created.body.id}`)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
    expect(await sandbox.control('POST', `/payins/${created.body.id}/fail`)).toMatchObject({
      status: 409,
      body: { code: '415027' },
    });
    expect(await request('DELETE', `/payins/${created.body.id}`)).toMatchObject({ status: 409, body: { code: '415027' } });
    expect((await float()) - before).toBeCloseTo(12.5, 7);
  });

  it('are confirmed or canceled on their checkout page, which redirects back', async () => {
    const uris = { confirmationUri: 'http://shop.example/thanks', cancelUri: 'http://shop.example/sorry' };
    const { body } = await newPayin('topup_2', { ...uris, description: '<script>' });
    const page = await fetch(body.confirmationUri);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('<script>');
    const confirmed = await fetch(`${body.confirmationUri}/confirm`, { method: 'POST', redirect: 'manual' });
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, uris.confirmationUri]);
    const other = (await newPayin('topup_3', uris)).body;
    const canceled = await fetch(`${other.confirmationUri}/cancel`, { method: 'POST', redirect: 'manual' });
    expect(canceled.headers.get('location')).toBe(uris.cancelUri);
    expect((await request('GET', `/payins/${other.id}`)).body.status).toBe('CANCELED');
  });

  it('fail with a reason', async () => {
    const { body } = await newPayin('topup_4');
    await sandbox.control('POST', `/payins/${body.id}/fail`, { reason: 'card declined' });
    expect((await request('GET', `/payins/${body.id}`)).body).toMatchObject({ status: 'FAILED', failureReason: 'card declined' });
  });

  it.each([{ amount: 0 }, { amount: -1 }, { amount: '5' }, { code: '' }])('400 for %j', async (more) => {
    expect(await newPayin('topup_bad', more)).toMatchObject({ status: 400, body: { code: '400000' } });
  });
});

describe('payouts', () => {
  it('are committed, then completed, failed, or pending user action', async () => {
    const before = await float();
    const { body } = await newPayout('wd_1');
    expect(body).toMatchObject({ status: 'CREATED', code: 'wd_1', reasonCode: null });
    expect(await newPayout('wd_1')).toMatchObject({ status: 409, body: { code: '415056' } });
    expect(await request('POST', `/payouts/${body.id}/commit`)).toEqual({ status: 204, body: undefined });
    expect(await request('POST', `/payouts/${body.id}/commit`)).toMatchObject({ status: 409, body: { code: '415027' } });
    expect((await request('GET', '/payouts/by-code/wd_1')).body.status).toBe('COMMITTED');
    await sandbox.control('POST', `/payouts/${body.id}/require-action`);
    expect((await request('GET', `/payouts/${body.id}`)).body.status).toBe('PENDING_USER_ACTION');
    await sandbox.control('POST', `/payouts/${body.id}/complete`);
    expect((await request('GET', `/payouts/${body.id}`)).body.status).toBe('COMPLETED');
    expect(before - (await float())).toBeCloseTo(10, 7);

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

  it('are listed in pages', async () => {
    const first = (await request('GET', '/payouts?limit=1')).body;
    const second = (await request('GET', `/payouts?limit=1&after=${first.endCursor}`)).body;
    expect(first.items).toMatchObject([{ code: 'wd_1' }]);
    expect(second.items).toMatchObject([{ code: 'wd_2' }]);
  });
});

describe('callers and users', () => {
  it('401 for the wrong password', async () => {
    const response = await sandbox.request('GET', `${sandbox.paymentProviderUrl}/users/a@b.c`, undefined, basic('sandbox:wrong'));
    expect(response).toMatchObject({ status: 401, body: { code: '401000' } });
  });

  it.each([
    ['anna@example.com', 200, { status: 'active', isVerified: true }],
    ['inactive@example.com', 200, { status: 'inactive' }],
    ['unverified@example.com', 200, { isVerified: false }],
    ['unknown@example.com', 404, { code: '404001' }],
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
    expect((await post('/payins', { code: 'a', amount: 1 })).body.status).toBe('CONFIRMED');
    expect((await post('/payouts', { code: 'a', amount: 1, email: 'a@b.c', commit: true })).body.status).toBe('COMPLETED');
    await automatic.close();
  });
});
