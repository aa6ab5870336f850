import { randomUUID } from 'node:crypto';
import { manualClock } from '@holdfast/testing/clock';
import { eventually } from '@holdfast/testing/eventually';
import { anIdentity } from './testing/an-identity.js';
import { memoryRecords } from './testing/memory-records.js';
import { aGateway, aService, memoryStores } from './testing/running-gateway.js';

const creditPath = '/api/v1/users/usr_1/credit';
const hourMs = 3_600_000;
const missing = { method: '', url: '', headers: {}, rawHeaders: [], body: '' };

async function setUp() {
  const [service, identity, clock] = [await aService(), await anIdentity(), manualClock()];
  let effects = 0;
  service.state.behave = (_request, response) => {
    effects += 1;
    response.writeHead(201, { 'content-type': 'application/json', 'x-own': 'kept' }).end(`{"data":${effects}}`);
  };
  const gateway = await aGateway(
    { serviceUrls: { 'ledger-balance': service.url, identity: identity.url }, clock },
    { ...memoryStores(), records: memoryRecords() },
  );
  const credit = (key: string, body = '{"amount":"1.00"}', path = creditPath, headers: Record<string, string> = {}) =>
    gateway.send(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    });
  const operations = () => service.received.map((request) => gateway.verifiedOf(request).operationId);
  const stop = async () => {
    await gateway.stop();
    await Promise.all([service.stop(), identity.stop()]);
  };
  return { service, identity, clock, gateway, credit, operations, stop, defaultBehavior: service.state.behave };
}

let parts: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => void (parts = await setUp()));
afterEach(() => parts.stop());

describe('an Idempotency-Key', () => {
  it('201 with Idempotency-Replay and the stored response, without a second effect', async () => {
    const { service, credit } = parts;
    const key = randomUUID();
    const first = await credit(key);
    const again = await credit(key.toUpperCase());
    expect([first.status, first.body, first.headers.get('idempotency-replay')]).toEqual([201, { data: 1 }, null]);
    expect([again.status, again.body, again.headers.get('idempotency-replay')]).toEqual([201, { data: 1 }, 'true']);
    expect([first, again].map(({ headers }) => headers.get('x-idempotency-key'))).toEqual([key, key]);
    expect(again.headers.get('x-own')).toBe('kept');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(service.received).toHaveLength(1);
  });

  it('409 IDEMPOTENCY_KEY_REUSED with another body or path', async () => {
    const { credit } = parts;
    const key = randomUUID();
    await credit(key);
    expect((await credit(key, '{"amount":"2.00"}')).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await credit(key, undefined, '/api/v1/users/usr_2/credit')).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('201 with its own effect in each marketplace that the master key acts for', async () => {
    const { identity, credit, operations } = parts;
    const other = 'mkt_01JB2M3N4P5Q6R7S8T9V0W1X2Y';
    identity.marketplaces.add(other);
    const key = randomUUID();
    const inOther = { 'x-marketplace-id': other };
    const responses = [
      await credit(key),
      await credit(key, undefined, undefined, inOther),
      await credit(key),
      await credit(key, undefined, undefined, inOther),
    ];
    expect(responses.map(({ status, body }) => [status, body.data])).toEqual([1, 2, 1, 2].map((effect) => [201, effect]));
    expect(new Set(operations()).size).toBe(2);
    const otherBody = await credit(key, '{"amount":"2.00"}', undefined, inOther);
    expect(otherBody.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('409 IDEMPOTENCY_KEY_IN_PROGRESS while the first request runs', async () => {
    const { service, credit } = parts;
    let finish: () => void = () => undefined;
    service.state.behave = (_request, response) => (finish = () => response.end('{}'));
    const key = randomUUID();
    const first = credit(key);
    await eventually(() => expect(service.received).toHaveLength(1));
    const { status, body } = await credit(key);
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' });
    finish();
    expect((await first).status).toBe(200);
    expect((await credit(key)).headers.get('idempotency-replay')).toBe('true');
  });

  it.each(['', 'x', '0b5c2e4a-1f7d-1c3b-9a8e-5d6f7a8b9c0d', `${randomUUID()}, ${randomUUID()}`])(
    '400 VALIDATION_ERROR for %j',
    async (key) => {
      const { status, body } = await parts.credit(key);
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(parts.service.received).toHaveLength(0);
    },
  );

  it('is ignored on routes that do not declare it', async () => {
    const { service, credit, operations } = parts;
    for (let round = 0; round < 2; round += 1) expect((await credit('not a uuid', '{}', '/api/v1/orders')).status).toBe(201);
    expect(service.received).toHaveLength(2);
    expect(operations()).toEqual([undefined, undefined]);
  });

  it('replays a 4xx; a 5xx frees the key for another attempt of the same operation', async () => {
    const { service, credit, operations, defaultBehavior } = parts;
    const [refused, broken] = [randomUUID(), randomUUID()];
    service.state.behave = (_request, response) => response.writeHead(422).end('{"error":{"code":"INSUFFICIENT_FUNDS"}}');
    await credit(refused);
    service.state.behave = defaultBehavior;
    expect((await credit(refused)).status).toBe(422);
    service.state.behave = (request) => request.socket.destroy();
    expect((await credit(broken)).status).toBe(503);
    service.state.behave = defaultBehavior;
    expect((await credit(broken)).status).toBe(201);
    const [, first, second] = operations();
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(second).toBe(first);
  });

  it('counts as new after 24 hours and gets another operation id', async () => {
    const { clock, credit, operations, gateway, service } = parts;
    const key = randomUUID();
    await credit(key);
    const [first] = operations();
    clock.advance(24 * hourMs - 1);
    expect((await credit(key)).headers.get('idempotency-replay')).toBe('true');
    clock.advance(1);
    expect((await credit(key, '{"amount":"3.00"}')).status).toBe(201);
    expect(first).toBeDefined();
    expect(gateway.verifiedOf(service.received[1] ?? missing).operationId).not.toBe(first);
  });

  it('completes and stores the response although the client has disconnected', async () => {
    const { service, gateway, credit } = parts;
    let finish: () => void = () => undefined;
    service.state.behave = (_request, response) => (finish = () => response.end('{"data":"late"}'));
    const [key, leaving] = [randomUUID(), new AbortController()];
    const init = { method: 'POST', body: '{"amount":"1.00"}', headers: { 'idempotency-key': key }, signal: leaving.signal };
    const left = gateway.send(creditPath, init).catch(() => undefined);
    await eventually(() => expect(service.received).toHaveLength(1));
    leaving.abort();
    await left;
    finish();
    await eventually(async () => expect((await credit(key)).body).toEqual({ data: 'late' }));
    expect(service.received).toHaveLength(1);
  });
});
