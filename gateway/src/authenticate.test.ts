import { manualClock } from '@holdfast/testing/clock';
import { eventually } from '@holdfast/testing/eventually';
import { aKeyText, aVerified, anIdentity } from './testing/an-identity.js';
import { aBroker, aGateway, aService, masterKey } from './testing/running-gateway.js';

const balancePath = '/api/v1/users/usr_1/balance';

async function setUp() {
  const [identity, service, broker, clock] = [await anIdentity(), await aService(), aBroker(), manualClock()];
  const serviceUrls = { identity: identity.url, 'ledger-balance': service.url };
  const gateway = await aGateway({ serviceUrls, broker, clock });
  const send = (credential: string, headers: Record<string, string> = {}) =>
    gateway.send(balancePath, { headers: { authorization: `Bearer ${credential}`, ...headers } });
  const stop = async () => {
    await gateway.stop();
    await Promise.all([identity.stop(), service.stop()]);
  };
  return { identity, service, broker, clock, gateway, send, stop };
}

let parts: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => void (parts = await setUp()));
afterEach(() => parts.stop());

const key = aKeyText('1');

describe('an API key', () => {
  it('200 acts as itself, in its marketplace, with its scopes', async () => {
    const { identity, service, gateway, send } = parts;
    identity.known.set(key, aVerified('1', ['read'], { marketplaceId: 'mkt_other', expiresAt: '2030-01-01T00:00:00.000000Z' }));
    expect((await send(key)).status).toBe(200);
    expect(service.received.slice(-1).map(gateway.callerOf)).toEqual([
      { type: 'api_key', id: 'key_1', marketplaceId: 'mkt_other', scopes: ['read'], expiresAt: '2030-01-01T00:00:00.000000Z' },
    ]);
  });

  it('is named by its id and its marketplace in the log line of its requests', async () => {
    const { identity, gateway, send } = parts;
    identity.known.set(key, aVerified('1', ['read'], { marketplaceId: 'mkt_other' }));
    await send(key);
    await send('garbage');
    const lines = gateway.log.lines.filter(({ fact }) => fact === 'request completed').map(({ fields }) => fields);
    expect(lines).toMatchObject([{ status: 200, marketplaceId: 'mkt_other', keyId: 'key_1' }, { status: 401 }]);
    expect(lines[1]).not.toHaveProperty('keyId');
  });

  it('is looked up once in five seconds, however many requests have it', async () => {
    const { identity, clock, send } = parts;
    identity.known.set(key, aVerified('1', ['read']));
    await Promise.all(Array.from({ length: 20 }, () => send(key)));
    clock.advance(4_999);
    await send(key);
    expect(identity.received).toHaveLength(1);
    clock.advance(1);
    await send(key);
    expect(identity.received).toHaveLength(2);
  });

  it('401 as soon as the notification of its revocation arrives', async () => {
    const { identity, broker, send } = parts;
    identity.known.set(key, aVerified('1', ['read']));
    expect((await send(key)).status).toBe(200);
    identity.known.delete(key);
    broker.broadcast({ topic: 'credentials', key: 'key_2' });
    broker.broadcast({ topic: 'something else', key: 'key_1' });
    expect((await send(key)).status).toBe(200);
    broker.broadcast({ topic: 'credentials', key: 'key_1' });
    expect((await send(key)).status).toBe(401);
  });

  it('is not cached when it is revoked during its lookup', async () => {
    const { identity, broker, send } = parts;
    let finish: () => void = () => undefined;
    identity.state.behave = (_request, response) =>
      (finish = () => response.end(JSON.stringify({ data: { verified: aVerified('1', ['read']) } })));
    const pending = send(key);
    await eventually(() => expect(identity.received).toHaveLength(1));
    broker.broadcast({ topic: 'credentials', key: 'key_1' });
    finish();
    expect((await pending).status).toBe(200);
    identity.state.behave = identity.defaultBehavior;
    expect((await send(key)).status).toBe(401);
  });

  it('401 five seconds after its revocation when the notification is lost', async () => {
    const { identity, clock, send } = parts;
    identity.known.set(key, aVerified('1', ['read']));
    await send(key);
    identity.known.delete(key);
    clock.advance(5_000);
    expect((await send(key)).status).toBe(401);
  });

  it('401 from the moment it expires, even if it is cached', async () => {
    const { identity, clock, send } = parts;
    identity.known.set(key, aVerified('1', ['read'], { expiresAt: '2026-01-31T12:00:02.000000Z' }));
    await send(key);
    identity.known.delete(key);
    clock.advance(1_999);
    expect((await send(key)).status).toBe(200);
    clock.advance(1);
    expect((await send(key)).status).toBe(401);
  });

  it('200 as soon as it exists, because unknown credentials are not cached', async () => {
    const { identity, send } = parts;
    expect((await send(key)).status).toBe(401);
    identity.known.set(key, aVerified('1', ['read']));
    expect((await send(key)).status).toBe(200);
  });

  it('403 with X-Marketplace-ID, even with its own', async () => {
    const { identity, send } = parts;
    identity.known.set(key, aVerified('1', ['read']));
    const { status, body } = await send(key, { 'x-marketplace-id': 'mkt_default' });
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'INSUFFICIENT_SCOPE' });
  });

  it.each([
    'garbage',
    'hk_live_1_short',
    'hk_test_1_' + 's'.repeat(43),
    `${key}x`,
    key.slice(0, -1),
    `${masterKey}x`,
    masterKey.slice(0, -1),
    'a.b',
    'a.b.c.d',
  ])('401 for %s, which is unknown, without a lookup', async (text) => {
    const { status, body } = await parts.send(text);
    expect([status, body.error.code, body.error.details.reason]).toEqual([401, 'UNAUTHORIZED', 'unknown']);
    expect(body.error.message).toContain('unknown');
    expect(parts.identity.received).toHaveLength(0);
  });
});

describe('401 UNAUTHORIZED says why', () => {
  it.each(['unknown', 'revoked', 'expired'] as const)('the credential is %s, as identity says', async (reason) => {
    parts.identity.refusals.set(key, reason);
    const { status, body, headers } = await parts.send(key);
    expect([status, body.error.code, body.error.details.reason]).toEqual([401, 'UNAUTHORIZED', reason]);
    expect(body.error.message).toContain(reason);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('the header is malformed, or missing', async () => {
    const malformed = await parts.send('two words');
    const missing = await fetch(`${parts.gateway.url}${balancePath}`);
    const { error } = (await missing.json()) as { error: { message: string; details: { reason: string } } };
    expect([malformed.body.error.details.reason, error.details.reason]).toEqual(['malformed', 'missing']);
    expect(malformed.body.error.message).toContain('malformed');
    expect(error.message).toContain('is needed');
  });
});

describe('a token', () => {
  it('200 acts as its key, as a token', async () => {
    const { identity, service, gateway, send } = parts;
    identity.known.set('aaa.bbb.ccc', aVerified('1', ['read'], { type: 'token' }));
    expect((await send('aaa.bbb.ccc')).status).toBe(200);
    expect(service.received.slice(-1).map(gateway.callerOf)).toMatchObject([{ type: 'token', id: 'key_1' }]);
  });
});

describe('the master key', () => {
  it('acts for the marketplace it names: 200 where it exists, 404 where not', async () => {
    const { identity, service, gateway, send } = parts;
    identity.marketplaces.add('mkt_other');
    expect((await send(masterKey, { 'x-marketplace-id': 'mkt_other' })).status).toBe(200);
    expect(service.received.slice(-1).map(gateway.callerOf)).toMatchObject([{ type: 'master', marketplaceId: 'mkt_other' }]);
    const { status, body } = await send(masterKey, { 'x-marketplace-id': 'mkt_unknown' });
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'MARKETPLACE_NOT_FOUND' });
  });
});

describe('while identity is down', () => {
  it('200 for cached callers until they expire, 503 for all others, 200 for the master key', async () => {
    const { identity, clock, send } = parts;
    identity.known.set(key, aVerified('1', ['read']));
    await send(key);
    identity.state.behave = (request) => request.socket.destroy();
    clock.advance(4_000);
    expect((await send(key)).status).toBe(200);
    clock.advance(1_000);
    expect((await send(key)).body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect((await send(aKeyText('2'))).status).toBe(503);
    expect((await send(masterKey)).status).toBe(200);
    identity.state.behave = identity.defaultBehavior;
    expect((await send(key)).status).toBe(200);
  });
});
