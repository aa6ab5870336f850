import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { systemClock, type Caller } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { eventually } from '@holdfast/testing/eventually';
import { freePort } from '@holdfast/testing/servers';
import { callerSigner } from '../caller/index.js';
import { aServer, master, type ReceivedRequest } from './testing/test-server.js';

type TestServer = Awaited<ReturnType<typeof aServer>>;

const creditPath = '/api/v1/users/usr_1/credit';
const credit = { method: 'POST', body: JSON.stringify({ amount: '12.50' }) };

let server: TestServer;
let outcome: () => Promise<unknown>;

beforeAll(async () => {
  server = await aServer({ act: () => outcome(), translateError: translate });
});
beforeEach(() => {
  outcome = () => Promise.resolve({ done: true });
});
afterAll(() => server.stop());

function translate(error: unknown): AppError | undefined {
  return error instanceof Error && error.message === 'gone'
    ? new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 3 })
    : undefined;
}

function lastReceived(): ReceivedRequest | undefined {
  return server.received.at(-1);
}

describe('a successful request', () => {
  it('200 with data, request id and time', async () => {
    const { status, body, headers } = await server.send(creditPath, credit);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { done: true },
      meta: { requestId: headers.get('x-request-id'), timestamp: expect.stringMatching(/\.\d{6}Z$/) },
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('passes parsed input and a context to its handler', async () => {
    await server.send(creditPath, {
      method: 'POST',
      body: JSON.stringify({ amount: '1', client_ref: 'r', milestones: [{ milestone_ref: 'm' }] }),
    });
    expect(lastReceived()?.input).toEqual({
      params: { userId: 'usr_1' },
      query: {},
      body: { amount: '1', clientRef: 'r', currency: 'USD', milestones: [{ milestoneRef: 'm' }] },
    });
    expect(lastReceived()?.ctx).toMatchObject({ caller: master, operationId: 'op-1', requestId: expect.any(String) });
  });

  it('201 of the order family has the additional success envelope', async () => {
    const { status, body } = await server.send('/api/v1/users/usr_1/order', { method: 'POST' });
    expect(status).toBe(201);
    expect(body.data).toEqual({ success: true, data: { done: true } });
  });

  it('200 of a list with hasMore and nextCursor', async () => {
    const { body } = await server.send('/api/v1/users/usr_1/credits?limit=5&created_after=2026-01-31T12:00:00Z');
    expect(body.data).toEqual({ success: true, data: [{ id: 1 }], hasMore: true, nextCursor: 'c1' });
    expect(lastReceived()?.input).toMatchObject({ query: { limit: 5, createdAfter: '2026-01-31T12:00:00.000000Z' } });
  });

  it('201 of a create route for a new resource, 200 for an existing one', async () => {
    const own = await aServer();
    const paths = ['/api/v1/users/usr_1/things', '/api/v1/users/usr_1/things'];
    const responses = [];
    for (const path of paths) responses.push(await own.send(path, { method: 'POST' }));
    await own.stop();
    expect(responses.map(({ status }) => status)).toEqual([201, 200]);
    expect(responses.map(({ body }) => body.data)).toEqual([{ done: true }, { done: true }]);
  });

  it('200 of an internal route for services, 403 INSUFFICIENT_SCOPE for any other caller', async () => {
    const part = { ...master, type: 'system', id: 'gateway' } as const;
    const anonymous = { ...master, type: 'anonymous', id: 'anonymous', scopes: [] } as const;
    const signer = callerSigner({ secret: 's'.repeat(40), clock: systemClock() });
    const own = await aServer({ authenticateCaller: (header) => signer.verify(header, 'orders') });
    const requestAs = async (caller: Caller) => {
      const headers = { 'x-holdfast-caller': signer.sign({ caller }, 'orders') };
      const { status, body } = await own.send('/api/v1/internal/usr_1', { headers });
      return [status, body.error?.code];
    };
    expect(await requestAs(part)).toEqual([200, undefined]);
    expect(await requestAs(master)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await requestAs(anonymous)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    await own.stop();
  });

  it('returns a request id that is a UUID and replaces any other', async () => {
    const requestId = randomUUID();
    expect(
      (await server.send(creditPath, { ...credit, headers: { 'x-request-id': requestId } })).headers.get('x-request-id'),
    ).toBe(requestId);
    const replaced = await server.send(creditPath, { ...credit, headers: { 'x-request-id': 'mine' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is logged in one line, without its body', async () => {
    const requestId = randomUUID();
    await server.send(creditPath, { ...credit, headers: { 'x-request-id': requestId } });
    const lines = server.log.lines.filter(({ fields }) => fields['requestId'] === requestId);
    expect(lines).toEqual([
      {
        level: 'debug',
        fact: 'request completed',
        fields: {
          ...{ route: '/users/{userId}/credit', method: 'POST', status: 200, durationMs: expect.any(Number), requestId },
          ...{ marketplaceId: master.marketplaceId, keyId: master.id, code: undefined },
        },
      },
    ]);
  });
});

describe('a refused request', () => {
  it('401 UNAUTHORIZED without a caller token, before any validation', async () => {
    const { status, body } = await server.send(creditPath, {
      method: 'POST',
      body: '{',
      headers: { 'x-holdfast-caller': 'forged' },
    });
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  });

  it('404 NOT_FOUND at an undeclared path', async () => {
    const { status, body, headers } = await server.send('/api/v1/nothing');
    expect(status).toBe(404);
    expect(body).toEqual({
      error: { code: 'NOT_FOUND', message: expect.any(String), details: { requestId: headers.get('x-request-id') } },
    });
  });

  it('405 METHOD_NOT_ALLOWED with the allowed methods', async () => {
    const { status, body, headers } = await server.send(creditPath, { method: 'DELETE' });
    expect({ status, code: body.error.code, allow: headers.get('allow') }).toEqual({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      allow: 'POST',
    });
  });

  it('422 with the code and details of the error', async () => {
    outcome = () => Promise.reject(new AppError('INSUFFICIENT_FUNDS', { available: '1.00' }));
    const { status, body } = await server.send(creditPath, credit);
    expect(status).toBe(422);
    expect(body.error).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      details: { available: '1.00', requestId: expect.any(String) },
    });
  });

  it('400 INVALID_STATE on the order family, 409 elsewhere', async () => {
    outcome = () => Promise.reject(new AppError('INVALID_STATE'));
    expect((await server.send('/api/v1/users/usr_1/order', { method: 'POST' })).status).toBe(400);
    expect((await server.send(creditPath, credit)).status).toBe(409);
  });

  it('503 SERVICE_UNAVAILABLE with Retry-After', async () => {
    outcome = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
    expect((await server.send(creditPath, credit)).headers.get('retry-after')).toBe('1');
    outcome = () => Promise.reject(new Error('gone'));
    const { status, headers } = await server.send(creditPath, credit);
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '3' });
  });

  it.each([
    ['a bug', () => Promise.reject(new TypeError('secret internals'))],
    ['a thrown text', () => Promise.reject('secret internals')], // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- a thrown value must not leak
    ['data that is not JSON', () => Promise.resolve({ units: 1n })],
  ])('500 INTERNAL_ERROR for %s, which only the log has', async (_case, act: () => Promise<unknown>) => {
    outcome = act;
    const { status, body, text } = await server.send(creditPath, credit);
    expect({ status, code: body.error.code }).toEqual({ status: 500, code: 'INTERNAL_ERROR' });
    expect(text).not.toMatch(/secret|BigInt|stack/);
    expect(server.log.lines.filter(({ level }) => level === 'error').at(-1)).toMatchObject({
      fact: 'request failed',
      fields: { route: 'credit' },
    });
  });

  it('404 of the resource for a malformed id in the path, after validation errors', async () => {
    const malformed = '/api/v1/users/%00/credit';
    expect((await server.send(malformed, credit)).body.error.code).toBe('USER_NOT_FOUND');
    expect((await server.send(malformed, { method: 'POST', body: '{}' })).body.error.code).toBe('VALIDATION_ERROR');
  });
});

describe('the log of a refused request', () => {
  it('has the error code', async () => {
    const { headers } = await server.send('/api/v1/nothing');
    const lines = server.log.lines.filter(({ fields }) => fields['requestId'] === headers.get('x-request-id'));
    expect(lines).toEqual([
      expect.objectContaining({ level: 'info', fields: expect.objectContaining({ status: 404, code: 'NOT_FOUND' }) }),
    ]);
  });

  it.each([
    ['the cause of a 5xx error', 'PROVIDER_TIMEOUT', { error: { cause: new Error('connection refused') } }],
    ['the reason of an outage, and no stack', 'SERVICE_UNAVAILABLE', { reason: 'connection refused' }],
  ] as const)('has %s', async (_, code, fields) => {
    outcome = () => Promise.reject(new AppError(code, {}, { cause: new Error('connection refused') }));
    const { text } = await server.send(creditPath, credit);
    expect(text).not.toContain('connection refused');
    const last = server.log.lines.filter(({ level }) => level === 'warn').at(-1);
    expect(last).toMatchObject({ fields });
    if (code === 'SERVICE_UNAVAILABLE') expect(last?.fields).not.toHaveProperty('error');
  });
});

describe('health and metrics', () => {
  it.each(['/livez', '/readyz', '/metrics'])('404 NOT_FOUND at %s: they have a separate port', async (path) => {
    expect((await server.send(path)).status).toBe(404);
  });

  it('requests are measured by route and status', async () => {
    await server.send(creditPath, credit);
    expect(await server.metrics.registry.metrics()).toContain(
      'holdfast_http_request_duration_seconds_count{service="test",method="POST",route="/users/{userId}/credit",status="200"}',
    );
  });
});

describe('stopping', () => {
  it('once it is announced, responses close their connections, and requests are still served', async () => {
    const announced = new AbortController();
    const going = await aServer({ stopAnnounced: announced.signal });
    const connectionOf = async () => (await going.send(creditPath, credit)).headers.get('connection');
    expect(await connectionOf()).toBe('keep-alive');
    announced.abort();
    expect([await connectionOf(), await connectionOf()]).toEqual(['close', 'close']);
    await going.stop();
  });

  it('cuts off requests that do not end in time, and logs how many', async () => {
    const hanging = await aServer({ act: () => new Promise(() => undefined), drainTimeoutMs: 50 });
    const lost = expect(hanging.send(creditPath, credit)).rejects.toThrow();
    await eventually(() => expect(hanging.received).toHaveLength(1));
    await hanging.stop();
    await lost;
    expect(hanging.log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: { requests: 1, drainTimeoutMs: 50 } }),
    );
  });

  it('finishes running requests, closes idle connections and accepts no new ones', async () => {
    let finish: (value: unknown) => void = () => undefined;
    const stopping = await aServer({ port: await freePort(), act: () => new Promise((resolve) => (finish = resolve)) });
    const running = stopping.send(creditPath, credit);
    await eventually(() => expect(stopping.received).toHaveLength(1));

    const stopped = stopping.stop();
    await eventually(() => expect(fetch(stopping.url)).rejects.toThrow());
    finish({ done: true });

    const { status, headers } = await running;
    expect({ status, connection: headers.get('connection') }).toEqual({ status: 200, connection: 'close' });
    await stopped;
  });

  it('closes the connections of running requests at the time limit', async () => {
    const hanging = await aServer({ act: () => new Promise(() => undefined), drainTimeoutMs: 100 });
    const running = hanging.send(creditPath, credit).catch((error: unknown) => error);
    await eventually(() => expect(hanging.received).toHaveLength(1));
    await hanging.stop();
    expect(await running).toMatchObject({ message: 'fetch failed' });
  });

  it('does not wait for connections that are idle or have sent no request', async () => {
    const quiet = await aServer({ drainTimeoutMs: 60_000 });
    const silent = connect(quiet.port, '127.0.0.1');
    await once(silent, 'connect');
    await quiet.send(creditPath, credit);
    await quiet.stop();
    if (!silent.closed) await once(silent, 'close');
  });

  it('rejects when its port is in use', async () => {
    await expect(aServer({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
