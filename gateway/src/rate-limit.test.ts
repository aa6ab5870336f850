import { manualClock } from '@holdfast/testing/clock';
import { aKeyText, aVerified, anIdentity } from './testing/an-identity.js';
import { aGateway, aService, masterKey, sendRaw } from './testing/running-gateway.js';

const balancePath = '/api/v1/users/usr_1/balance';
const limit = 3;

async function setUp(overrides: Parameters<typeof aGateway>[0] = {}) {
  const [identity, service, clock] = [await anIdentity(), await aService(), manualClock()];
  const serviceUrls = { identity: identity.url, 'ledger-balance': service.url };
  const gateway = await aGateway({ serviceUrls, clock, rateLimitMax: limit, ...overrides });
  identity.known.set(aKeyText('1'), aVerified('1', ['read']));
  identity.known.set(aKeyText('2'), aVerified('2', ['read']));
  identity.known.set('a.token.of1', aVerified('1', ['read'], { type: 'token' }));
  const send = async (credential: string, path = balancePath, headers: Record<string, string> = {}) => {
    const authorization = credential === '' ? '' : `Bearer ${credential}`;
    const response = await gateway.ask(path, { headers: { authorization, ...headers } });
    const limitHeaders = ['limit', 'remaining', 'reset'].map((name) => response.headers.get(`x-ratelimit-${name}`));
    return { ...response, told: limitHeaders };
  };
  const stop = async () => {
    await gateway.stop();
    await Promise.all([identity.stop(), service.stop()]);
  };
  return { identity, service, clock, gateway, ask: send, stop };
}

let parts: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => void (parts = await setUp()));
afterEach(() => parts.stop());

describe('the rate limit', () => {
  it('counts a caller down in a window that begins with its first request', async () => {
    const { ask: send, clock } = parts;
    const reset = String((clock.epochMs() + 60_000) / 1_000);
    expect((await send(aKeyText('1'))).told).toEqual(['3', '2', reset]);
    clock.advance(30_000);
    expect((await send(aKeyText('1'))).told).toEqual(['3', '1', reset]);
    expect((await send(aKeyText('1'))).told).toEqual(['3', '0', reset]);
    const { status, body, headers, told: limitHeaders } = await send(aKeyText('1'));
    expect({ status, code: body.error.code, told: limitHeaders, retryAfter: headers.get('retry-after') }).toEqual({
      status: 429,
      code: 'RATE_LIMITED',
      told: ['3', '0', reset],
      retryAfter: '30',
    });
    expect(body.error.details).toMatchObject({ limit: 3, windowSeconds: 60, retryAfter: 30 });
    clock.advance(30_000);
    expect((await send(aKeyText('1'))).status).toBe(200);
  });

  it('counts tokens for their key, and each key for itself', async () => {
    const { ask: send } = parts;
    await send(aKeyText('1'));
    await send('a.token.of1');
    expect((await send(aKeyText('1'))).told[1]).toBe('0');
    expect((await send('a.token.of1')).status).toBe(429);
    expect((await send(aKeyText('2'))).told[1]).toBe('2');
  });

  it('counts whoever has no verified credential by address, and shuts out nobody who has one', async () => {
    const { ask: send } = parts;
    const codes = [];
    for (const credential of ['', 'garbage', aKeyText('nobody'), '', aKeyText('nobody')])
      codes.push((await send(credential)).status);
    expect(codes).toEqual([401, 401, 401, 429, 429]);
    expect((await send(aKeyText('1'))).status).toBe(200);
    expect((await send(masterKey)).status).toBe(200);
  });

  it('429 before identity is asked, once an address has guessed too often', async () => {
    const { ask: send, identity } = parts;
    await send(aKeyText('1'));
    for (let guess = 0; guess < 6; guess += 1) await send(aKeyText(`guess${guess}`));
    expect(identity.heard).toHaveLength(1 + limit);
    const { status, headers } = await send(aKeyText('another'));
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 429, retryAfter: '60' });
    expect((await send(aKeyText('1'))).status).toBe(200);
  });

  it('429 before the body has arrived', async () => {
    const { gateway, ask: send } = parts;
    for (let round = 0; round < limit; round += 1) await send('');
    const head = 'POST /api/v1/users/usr_1/credit HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n';
    expect(await sendRaw(gateway.port, head)).toMatch(/^HTTP\/1\.1 429 [^]*RATE_LIMITED/);
  });

  it('counts a verified credential for its key on every path', async () => {
    const { ask: send } = parts;
    for (const path of [balancePath, '/api/v1/nothing', '/api/v1/config']) await send(aKeyText('1'), path);
    expect((await send(aKeyText('1'), '/docs')).status).toBe(429);
    expect((await send('')).told[1]).toBe('2');
  });

  it('is told on every answer, refusals and unknown addresses too', async () => {
    const { ask: send } = parts;
    for (const path of ['/api/v1/nothing', '/api/v1/config', '/api/v1/openapi.json'])
      expect((await send('', path)).told[0]).toBe('3');
    expect((await send('', '/openapi.json')).status).toBe(429);
  });

  it('does not count health, which carries the headers all the same', async () => {
    const { ask: send } = parts;
    await send('');
    for (let round = 0; round < 5; round += 1) expect((await send('', '/api/v1/health')).told.slice(0, 2)).toEqual(['3', '2']);
    expect((await send('', '/api/v1/health/detailed')).told[1]).toBe('2');
  });

  it('does not look up the credential of a request for health', async () => {
    const { ask: send, identity } = parts;
    expect((await send(aKeyText('1'), '/api/v1/health')).status).toBe(200);
    expect(identity.heard).toHaveLength(0);
  });
});

describe('the rate limit, by settings', () => {
  it('is off and silent with 0', async () => {
    const off = await setUp({ rateLimitMax: 0 });
    const { status, told: limitHeaders } = await off.ask(aKeyText('1'));
    expect({ status, told: limitHeaders }).toEqual({ status: 200, told: [null, null, null] });
    await off.stop();
  });

  it('believes X-Forwarded-For only of the proxies that it was told of', async () => {
    const trusting = await setUp({ trustedProxyHops: 1 });
    const from = (address: string) => trusting.ask('', balancePath, { 'x-forwarded-for': `9.9.9.9, ${address}` });
    expect((await from('1.1.1.1')).told[1]).toBe('2');
    expect((await from('2.2.2.2')).told[1]).toBe('2');
    expect((await from('2001:db8:1:2::1')).told[1]).toBe('2');
    expect((await from('2001:db8:1:2:ffff::')).told[1]).toBe('1');
    expect((await parts.ask('', balancePath, { 'x-forwarded-for': '1.1.1.1' })).told[1]).toBe('2');
    expect((await parts.ask('', balancePath, { 'x-forwarded-for': '3.3.3.3' })).told[1]).toBe('1');
    await trusting.stop();
  });
});
