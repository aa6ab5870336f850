import { ConfigError, readConfig } from '@holdfast/process/config';
import { allRoutes } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { manualClock } from '@holdfast/testing/clock';
import { admissionSettings } from './config.js';
import { parseRouteLimits } from './route-limits.js';
import { aKeyText, aVerified, anIdentity } from './testing/an-identity.js';
import { aGateway, aService } from './testing/running-gateway.js';

async function setUp(overrides: Parameters<typeof aGateway>[0]) {
  const [identity, service, clock] = [await anIdentity(), await aService(), manualClock()];
  const serviceUrls = { identity: identity.url, payments: service.url, notifications: service.url };
  const gateway = await aGateway({ serviceUrls, clock, routes: allRoutes, ...overrides });
  for (const name of ['1', '2']) identity.known.set(aKeyText(name), aVerified(name, ['read', 'write']));
  const send = async (path: string, { key = '1', method = 'POST' } = {}) => {
    const { status, headers, body } = await gateway.send(path, { method, headers: { authorization: `Bearer ${aKeyText(key)}` } });
    const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'].map((name) => headers.get(name));
    return { status, limitHeaders, error: body?.error };
  };
  const stop = async () => {
    await gateway.stop();
    await Promise.all([identity.stop(), service.stop()]);
  };
  return { gateway, service, clock, send, stop };
}

describe('RATE_LIMIT_ROUTES', () => {
  it.each([
    ['', []],
    ['POST /topups=10/60', [{ route: 'POST /topups', limit: 10, windowSeconds: 60 }]],
    [
      ' POST /topups = 10 / 60 ,GET /orders/{id}=1/1, ',
      [
        { route: 'POST /topups', limit: 10, windowSeconds: 60 },
        { route: 'GET /orders/{id}', limit: 1, windowSeconds: 1 },
      ],
    ],
  ])('%j is parsed', (text, limits) => {
    expect(parseRouteLimits(text)).toEqual(limits);
  });

  it.each([
    'POST /topups',
    'POST /topups=10',
    'POST /topups=10/',
    'POST /topups=0/60',
    'POST /topups=10/0',
    'POST /topups=10/86401',
    'POST /topups=ten/60',
    'post /topups=10/60',
    '/topups=10/60',
    'POST /topup=10/60',
    'DELETE /topups=10/60',
    'GET /health=1/1',
    'POST /webhooks/payment-provider=1/1',
    'POST /topups=1/60, POST /topups=2/60',
    'POST /topups=10/60; POST /withdrawals=5/60',
  ])('%j is refused with the expected form', (text) => {
    const read = () => readConfig(admissionSettings, { RATE_LIMIT_ROUTES: text });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/RATE_LIMIT_ROUTES is ".*"; expected declared routes with a number of requests and of seconds/);
  });
});

describe('the limit of a single route', () => {
  let parts: Awaited<ReturnType<typeof setUp>>;
  const rateLimitRoutes = 'POST /topups=2/30, GET /topups/{id}/callback=1/60';
  beforeEach(async () => void (parts = await setUp({ rateLimitMax: 100, rateLimitRoutes })));
  afterEach(() => parts.stop());

  it('429 RATE_LIMITED with the headers of that limit; other routes are not affected', async () => {
    const { send, clock, service } = parts;
    expect((await send('/api/v1/topups')).limitHeaders).toEqual(['100', '99', null]);
    clock.advance(10_000);
    expect((await send('/api/v1/topups')).status).toBe(200);
    const { status, limitHeaders, error } = await send('/api/v1/topups');
    expect({ status, limitHeaders, code: error.code }).toEqual({
      status: 429,
      limitHeaders: ['2', '0', '20'],
      code: 'RATE_LIMITED',
    });
    expect(error.details).toMatchObject({ limit: 2, windowSeconds: 30, retryAfter: 20 });
    // The gateway also polls the state of the payment provider there.
    expect(service.received.filter(({ url }) => url === '/api/v1/topups')).toHaveLength(2);
    expect((await send('/api/v1/withdrawals')).status).toBe(200);
    expect((await send('/api/v1/topups', { method: 'GET' })).status).toBe(200);
    clock.advance(20_000);
    expect((await send('/api/v1/topups')).status).toBe(200);
  });

  it('counts per caller, whatever ids the path has', async () => {
    const { send } = parts;
    for (const key of ['1', '1', '2', '2']) expect((await send('/api/v1/topups', { key })).status).toBe(200);
    expect((await send('/api/v1/topups', { key: '2' })).status).toBe(429);
    const callback = (name: string, key: string) => send(`/api/v1/topups/${name}/callback`, { key, method: 'GET' });
    expect([(await callback('topup_1', '1')).status, (await callback('topup_2', '2')).status]).toEqual([200, 429]);
  });

  it('works without the general limit, with headers on refusals only', async () => {
    const alone = await setUp({ rateLimitMax: 0, rateLimitRoutes: 'POST /topups=1/60' });
    expect((await alone.send('/api/v1/topups')).limitHeaders).toEqual([null, null, null]);
    expect((await alone.send('/api/v1/topups')).limitHeaders).toEqual(['1', '0', '60']);
    await alone.stop();
  });
});

describe('EVENT_STREAMS_MAX', () => {
  it('429 RATE_LIMITED while a caller has that many streams open', async () => {
    const { gateway, service, send, stop } = await setUp({ eventStreamsMax: 1 });
    service.state.behave = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
    const streams = new AbortController();
    const follow = (key: string) =>
      fetch(`${gateway.url}/api/v1/events`, { headers: { authorization: `Bearer ${aKeyText(key)}` }, signal: streams.signal });
    expect((await follow('1')).status).toBe(200);
    expect((await follow('2')).status).toBe(200);
    const { status, error, limitHeaders } = await send('/api/v1/events', { method: 'GET' });
    expect({ status, code: error.code, retryAfter: limitHeaders[2] }).toEqual({
      status: 429,
      code: 'RATE_LIMITED',
      retryAfter: '30',
    });
    expect(error.details).toMatchObject({ limit: 1, windowSeconds: 30, retryAfter: 30 });
    streams.abort();
    service.state.behave = (_request, response) => void response.end('{}');
    await eventually(async () => expect((await send('/api/v1/events', { method: 'GET' })).status).toBe(200));
    await stop();
  });
});
