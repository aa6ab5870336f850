import { Holdfast } from './index.js';
import { data, json, lost, refusal, startScriptedServer, success, type ScriptedServer } from './testing/scripted-server.js';

let server: ScriptedServer;
let holdfast: Holdfast;

beforeEach(async () => {
  server = await startScriptedServer();
  holdfast = new Holdfast({ apiKey: 'hk_1', baseUrl: server.url, retriesMax: 2 });
});
afterEach(() => server.close());

const header = (name: string) => server.received.map(({ headers }) => headers[name]);
const newOrder = { buyerId: 'usr_1', sellerId: 'usr_2', amount: '1.00' };

describe('a retry', () => {
  it('of a route that takes an Idempotency-Key has the same key, which the caller may choose', async () => {
    server.reply(lost, refusal(503, 'SERVICE_UNAVAILABLE'), data({ id: 'topup_1' }, 201));
    await holdfast.topups.create({ userId: 'usr_1', amount: '1.00' });
    const [key] = header('idempotency-key');
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(header('idempotency-key')).toEqual([key, key, key]);
    const given = '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11';
    server.reply(data({ id: 'topup_1' }, 201));
    await holdfast.topups.create({ userId: 'usr_1', amount: '1.00' }, { idempotencyKey: given });
    expect(header('idempotency-key')[3]).toBe(given);
  });

  it('of one call has its request id, another call has another', async () => {
    server.reply(lost, data({}), data({}));
    await holdfast.platform.getHealth();
    await holdfast.platform.getHealth();
    const [first, second, third] = header('x-request-id');
    expect(first).toBe(second);
    expect(third).not.toBe(first);
  });

  it('waits as long as the platform asks', async () => {
    server.reply(refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '1' }), success({ id: 'ord_1' }));
    const begun = performance.now();
    await holdfast.orders.reserve('ord_1');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_000);
  });

  it('follows retriesMax times, then the error is thrown', async () => {
    server.reply(lost, lost, lost);
    await expect(holdfast.users.get('usr_1')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(server.received).toHaveLength(3);
  });

  it('waits for the first request with its key, however often it must ask', async () => {
    const running = refusal(409, 'IDEMPOTENCY_KEY_IN_PROGRESS');
    server.reply(lost, running, running, running, data({ id: 'topup_1' }, 201));
    expect(await holdfast.topups.create({ userId: 'usr_1', amount: '1.00' })).toEqual({ id: 'topup_1' });
  });

  it.each([400, 401, 403, 404, 409, 422])('does not follow a refusal with %d', async (status) => {
    server.reply(refusal(status, 'VALIDATION_ERROR'));
    await expect(holdfast.users.create({ externalUserId: 'a' })).rejects.toMatchObject({ status });
    expect(server.received).toHaveLength(1);
  });

  it('ends with the signal', async () => {
    const stopping = new AbortController();
    server.reply((received, response) => {
      lost(received, response);
      stopping.abort(new Error('stopped'));
    });
    await expect(holdfast.users.get('usr_1', { signal: stopping.signal })).rejects.toThrow('stopped');
    await expect(holdfast.users.get('usr_1', { signal: stopping.signal })).rejects.toThrow('stopped');
    expect(server.received).toHaveLength(1);
  });
});

describe('a write that nothing protects', () => {
  it('OUTCOME_UNKNOWN after a lost connection, without a repeat', async () => {
    server.reply(lost);
    await expect(holdfast.disputes.createComment('dsp_1', { text: 'a' })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      details: { record: null },
    });
    expect(server.received).toHaveLength(1);
  });

  it('is repeated if nothing was begun', async () => {
    server.reply(refusal(503, 'PLATFORM_STOPPED'), refusal(429, 'RATE_LIMITED'), success({ id: 'cmt_1' }, 201));
    expect(await holdfast.disputes.createComment('dsp_1', { text: 'a' })).toEqual({ id: 'cmt_1' });
  });

  it('is not repeated after 503, which the platform may send after the effect', async () => {
    server.reply(refusal(503, 'SERVICE_UNAVAILABLE'));
    await expect(holdfast.disputes.createComment('dsp_1', { text: 'a' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(server.received).toHaveLength(1);
  });

  it('escrow/init of the account API is repeated, because the platform returns the first result', async () => {
    const escrow = { code: 200, type: 'success', ok: true, message: '', data: { escrow_id: 'esc_1' } };
    server.reply(lost, json(200, escrow));
    const input = { project_id: 'prj_1', seller_id: 'usr_2', amount: 1 } as never;
    expect(await holdfast.projects.initEscrow(input)).toEqual({ escrow_id: 'esc_1' });
  });
});

describe('orders.create', () => {
  const exists = refusal(409, 'CLIENT_ORDER_REF_EXISTS', { orderId: 'ord_7' });

  it('makes a clientOrderRef, and returns the order that the lost request has created', async () => {
    server.reply(lost, exists, success({ id: 'ord_7' }));
    expect(await holdfast.orders.create(newOrder)).toEqual({ id: 'ord_7' });
    const [first, second, third] = server.received;
    expect(first?.body).toEqual({ ...newOrder, clientOrderRef: expect.stringMatching(/^sdk_[0-9a-f-]{36}$/) });
    expect(second?.body).toEqual(first?.body);
    expect(third?.url).toBe('/api/v1/orders/ord_7');
  });

  it('CLIENT_ORDER_REF_EXISTS for a reference of the caller', async () => {
    server.reply(exists);
    await expect(holdfast.orders.create({ ...newOrder, clientOrderRef: 'cart-1' })).rejects.toMatchObject({
      code: 'CLIENT_ORDER_REF_EXISTS',
      details: { orderId: 'ord_7' },
    });
  });
});
