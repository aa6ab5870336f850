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
    const response = await gateway.send(path, { headers: { authorization, ...headers } });
    const limitHeaders = ['limit', 'remaining', 'reset'].map((name) => response.headers.get(`x-ratelimit-${name}`));
    return { ...response, limitHeaders };
  };
  const stop = async () => {
    await gateway.stop();
    await Promise.all([identity.stop(), service.stop()]);
  };
  return { identity, service, clock, gateway, send, stop };
}

let parts: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => void (parts = await setUp()));
afterEach(() => parts.stop());

describe('the rate limit', () => {
  it('counts the requests of a caller in a window that starts with the first one', async () => {
    const { send, clock } = parts;
    const reset = String((clock.epochMs() + 60_000) / 1_000);
    expect((await send(aKeyText('1'))).limitHeaders).toEqual(['3', '2', reset]);
    clock.advance(30_000);
    expect((await send(aKeyText('1'))).limitHeaders).toEqual(['3', '1', reset]);
    expect((await send(aKeyText('1'))).limitHeaders).toEqual(['3', '0', reset]);
    const { status, body, headers, limitHeaders } = await send(aKeyText('1'));
    expect({ status, code: body.error.code, limitHeaders, retryAfter: headers.get('retry-after') }).toEqual({
      status: 429,
      code: 'RATE_LIMITED',
      limitHeaders: ['3', '0', reset],
      retryAfter: '30',
    });
    expect(body.error.details).toMatchObject({ limit: 3, windowSeconds: 60, retryAfter: 30 });
    clock.advance(30_000);
    expect((await send(aKeyText('1'))).status).toBe(200);
  });

  it('counts tokens with their key, and each key separately', async () => {
    const { send } = parts;
    await send(aKeyText('1'));
    await send('a.token.of1');
    expect((await send(aKeyText('1'))).limitHeaders[1]).toBe('0');
    expect((await send('a.token.of1')).status).toBe(429);
    expect((await send(aKeyText('2'))).limitHeaders[1]).toBe('2');
  });

  it('counts unverified requests per address, and never refuses a verified one because of its address', async () => {
    const { send } = parts;
    const codes = [];
    for (const credential of ['', 'garbage', aKeyText('unknown'), '', aKeyText('unknown')])
      codes.push((await send(credential)).status);
    expect(codes).toEqual([401, 401, 401, 429, 429]);
    expect((await send(aKeyText('1'))).status).toBe(200);
    expect((await send(masterKey)).status).toBe(200);
  });

  it('200 for a credential that was never seen before, at an address that has sent many unknown ones', async () => {
    const { send } = parts;
    for (let guess = 0; guess < 6; guess += 1) await send(aKeyText(`guess${guess}`));
    const { status, headers } = await send(aKeyText('another'));
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 429, retryAfter: '60' });
    expect((await send(aKeyText('1'))).status).toBe(200);
    expect((await send('a.token.of1')).status).toBe(200);
  });

  it('429 before the body has arrived', async () => {
    const { gateway, send } = parts;
    for (let round = 0; round < limit; round += 1) await send('');
    const head = 'POST /api/v1/users/usr_1/credit HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n';
    expect(await sendRaw(gateway.port, head)).toMatch(/^HTTP\/1\.1 429 [^]*RATE_LIMITED/);
  });

  it('counts a verified credential per key on every path', async () => {
    const { send } = parts;
    for (const path of [balancePath, '/api/v1/nothing', '/api/v1/config']) await send(aKeyText('1'), path);
    expect((await send(aKeyText('1'), '/docs')).status).toBe(429);
    expect((await send('')).limitHeaders[1]).toBe('2');
  });

  it('sets its headers on every response, including errors', async () => {
    const { send } = parts;
    for (const path of ['/api/v1/nothing', '/api/v1/config', '/api/v1/openapi.json'])
      expect((await send('', path)).limitHeaders[0]).toBe('3');
    expect((await send('', '/openapi.json')).status).toBe(429);
  });

  it('does not count health requests, whose responses have the headers, too', async () => {
    const { send } = parts;
    await send('');
    for (let round = 0; round < 5; round += 1)
      expect((await send('', '/api/v1/health')).limitHeaders.slice(0, 2)).toEqual(['3', '2']);
    expect((await send('', '/api/v1/health/detailed')).limitHeaders[1]).toBe('2');
  });

  it('does not look up the credential of a health request', async () => {
    const { send, identity } = parts;
    expect((await send(aKeyText('1'), '/api/v1/health')).status).toBe(200);
    expect(identity.received).toHaveLength(0);
  });
});

describe('the rate limit, by settings', () => {
  it('is off with 0, without headers', async () => {
    const off = await setUp({ rateLimitMax: 0 });
    const { status, limitHeaders } = await off.send(aKeyText('1'));
    expect({ status, limitHeaders }).toEqual({ status: 200, limitHeaders: [null, null, null] });
    await off.stop();
  });

  it('uses X-Forwarded-For only as far as TRUSTED_PROXY_HOPS allows', async () => {
    const trusting = await setUp({ trustedProxyHops: 1 });
    const from = (address: string) => trusting.send('', balancePath, { 'x-forwarded-for': `9.9.9.9, ${address}` });
    expect((await from('1.1.1.1')).limitHeaders[1]).toBe('2');
    expect((await from('2.2.2.2')).limitHeaders[1]).toBe('2');
    expect((await from('2001:db8:1:2::1')).limitHeaders[1]).toBe('2');
    expect((await from('2001:db8:1:2:ffff::')).limitHeaders[1]).toBe('1');
    expect((await parts.send('', balancePath, { 'x-forwarded-for': '1.1.1.1' })).limitHeaders[1]).toBe('2');
    expect((await parts.send('', balancePath, { 'x-forwarded-for': '3.3.3.3' })).limitHeaders[1]).toBe('1');
    await trusting.stop();
  });
});
