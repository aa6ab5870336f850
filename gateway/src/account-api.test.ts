import { callerSigner } from '@holdfast/http/caller';
import { allRoutes, fullPathOf, initEscrow, releaseEscrow, type RouteDeclaration } from '@holdfast/contracts/http';
import { serviceNames } from '@holdfast/contracts/services';
import { freePort } from '@holdfast/testing/servers';
import { manualClock } from '@holdfast/testing/clock';
import { aKeyText, aVerified, anIdentity } from './testing/an-identity.js';
import { aGateway, aService, masterKey, memoryStores } from './testing/running-gateway.js';
import { outgoingRequest } from './middleware/forward-to-service.js';

const token = 'header.of-an-account.signature';
const expired = 'header.of-an-account.expired';
const keyToken = 'header.of-a-key.signature';
const anAccount = (id: string, expiresAt: string | null = null) =>
  aVerified('', [], { type: 'account', id: `usr_${id}`, expiresAt });

async function setUp() {
  const [identity, service, clock] = [await anIdentity(), await aService(), manualClock()];
  identity.known.set(token, anAccount('1'));
  identity.known.set(aKeyText('all'), aVerified('all', ['read', 'write', 'support']));
  identity.known.set(keyToken, aVerified('all', ['read', 'write', 'support'], { type: 'token' }));
  identity.refusals.set(expired, 'expired');
  const urls = { ...Object.fromEntries(serviceNames.map((name) => [name, service.url])), identity: identity.url };
  const down = `http://127.0.0.1:${await freePort()}`;
  const options = { routes: allRoutes, clock, serviceUrls: { ...urls, 'escrow-adapter': down } };
  const gateway = await aGateway(options);
  const limited = await aGateway({ ...options, rateLimitMax: 2, rateLimitRoutes: 'POST /projects=1/60' });
  const withoutIdentity = await aGateway({ ...options, serviceUrls: { ...urls, identity: down } }, memoryStores());
  const stop = async (): Promise<void> => {
    await Promise.all([gateway.stop(), limited.stop(), withoutIdentity.stop()]);
    await Promise.all([identity.stop(), service.stop()]);
  };
  return { identity, service, clock, gateway, limited, withoutIdentity, stop };
}

let parts: Awaited<ReturnType<typeof setUp>>;
let respond: Awaited<ReturnType<typeof aService>>['state']['behave'];
beforeAll(async () => {
  parts = await setUp();
  respond = parts.service.state.behave;
});
afterEach(() => void (parts.service.state.behave = respond));
afterAll(() => parts.stop());

/** Without the probes that the gateway sends in the background, at times that no test knows. */
const forwarded = () => parts.service.received.filter(({ url }) => url?.startsWith('/api/v1/internal/') !== true);

const as = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } });
const nobody = { headers: { authorization: '' } };
const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } };
const error = (code: number, message: unknown = expect.any(String)) => ({ code, type: 'error', ok: false, message, data: null });

describe('a request to the account API', () => {
  it('200 reaches its service as it was sent, with the account as its caller and without the token', async () => {
    const { gateway } = parts;
    expect((await gateway.send('/balances?x=1', as(token))).body).toEqual({ data: 'from the service' });
    const received = forwarded().at(-1);
    expect(received).toMatchObject({ method: 'GET', url: '/balances?x=1' });
    expect(received?.headers.authorization).toBeUndefined();
    const caller = { type: 'account', id: 'usr_1', marketplaceId: 'mkt_default', scopes: [] };
    expect(received === undefined ? undefined : gateway.verifiedOf(received)).toEqual({ caller });
    const line = gateway.log.lines.find(({ fields }) => fields['route'] === '/balances');
    expect(line?.fields).toMatchObject({ userId: 'usr_1', marketplaceId: 'mkt_default' });
    expect(line?.fields).not.toHaveProperty('keyId');
  });

  it.each([
    ['no credential', nobody],
    ['a malformed header', { headers: { authorization: token } }],
    ['another scheme', { headers: { authorization: `Basic ${token}` } }],
    ['a token that was tampered with', as(`${token}x`)],
    ['an API key', as(aKeyText('all'))],
    ['the token of an API key', as(keyToken)],
    ['the master key', as(masterKey)],
  ])('401 for %s', async (_, init) => {
    const before = forwarded().length;
    for (const path of ['/balances', '/balances/transactions', '/projects', '/projects?access_token=x']) {
      const { status, body, headers } = await parts.gateway.send(path, init);
      expect({ status, body }).toEqual({ status: 401, body: error(401, expect.stringContaining('log in')) });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(forwarded().length).toBe(before);
  });

  it('401 for an expired token, which is said', async () => {
    const { status, body } = await parts.gateway.send('/projects', as(expired));
    expect({ status, body }).toEqual({ status: 401, body: error(401, 'The token has expired: log in again.') });
  });

  it('401 from the moment a token expires, even if it is cached', async () => {
    const { identity, gateway, clock } = parts;
    const cached = 'header.of-an-account.cached';
    identity.known.set(cached, anAccount('1', new Date(clock.epochMs() + 2_000).toISOString().replace('Z', '000Z')));
    expect((await gateway.send('/balances', as(cached))).status).toBe(200);
    identity.known.delete(cached);
    identity.refusals.set(cached, 'expired');
    clock.advance(1_999);
    expect((await gateway.send('/balances', as(cached))).status).toBe(200);
    clock.advance(1);
    expect((await gateway.send('/balances', as(cached))).status).toBe(401);
  });

  it('404 for an unknown path, 405 with Allow for another method', async () => {
    const { gateway } = parts;
    for (const path of ['/auth', '/auth/me', '/auth/api-keys', '/balances/', '/wallets/connect/x', '/projects/a/b', '/escrow']) {
      const { status, body } = await gateway.send(path, as(token));
      expect([path, status, body]).toEqual([path, 404, error(404)]);
    }
    const { status, body, headers } = await gateway.send('/projects', { ...as(token), method: 'DELETE' });
    expect({ status, body, allow: headers.get('allow') }).toEqual({ status: 405, body: error(405), allow: 'GET, HEAD, POST' });
  });

  it('413 for a large body, 415 for a compressed one, 431 for too many headers', async () => {
    const { gateway } = parts;
    const large = await gateway.send('/projects', { ...json, body: 'x'.repeat(300 * 1024) });
    expect([large.status, large.body]).toEqual([413, error(413)]);
    const zipped = await gateway.send('/projects', { ...json, headers: { ...json.headers, 'content-encoding': 'gzip' } });
    expect([zipped.status, zipped.body]).toEqual([415, error(415)]);
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`x-${index}`, '']));
    const crowded = await gateway.send('/projects', { headers: many });
    expect([crowded.status, crowded.body]).toEqual([431, error(431)]);
  });

  it('503 with Retry-After when its service is down, or identity', async () => {
    const { gateway, withoutIdentity } = parts;
    for (const { status, body, headers } of [
      await gateway.send('/wallets/connect', json),
      await withoutIdentity.send('/balances', as(token)),
      await withoutIdentity.send('/auth/login', { ...json, ...nobody }),
    ])
      expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({
        status: 503,
        body: error(503),
        retryAfter: '1',
      });
  });

  it('504 when its service hangs', async () => {
    parts.service.state.behave = () => undefined;
    const { status, body } = await parts.gateway.send('/balances', as(token));
    expect({ status, body }).toEqual({ status: 504, body: error(504) });
  });
});

describe('the rate limit of the account API', () => {
  it('429 with Retry-After per account, per address without one, and per route', async () => {
    const { limited, identity } = parts;
    const accounts = ['a', 'b', 'c'].map((id) => `header.of-${id}.signature`);
    accounts.forEach((credential, index) => identity.known.set(credential, anAccount(`limited${index}`)));
    const [one = '', other = '', third = ''] = accounts;
    const statuses = async (init: RequestInit, count: number): Promise<readonly number[]> => {
      const sent: number[] = [];
      while (sent.length < count) sent.push((await limited.send('/balances', init)).status);
      return sent;
    };
    expect(await statuses(as(one), 3)).toEqual([200, 200, 429]);
    expect(await statuses(as(other), 2)).toEqual([200, 200]);
    expect(await statuses(nobody, 3)).toEqual([401, 401, 429]);
    const { status, body, headers } = await limited.send('/auth/login', { ...json, ...nobody });
    expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({ status: 429, body: error(429), retryAfter: '60' });
    const create = { ...json, headers: { ...json.headers, authorization: `Bearer ${third}` } };
    expect((await limited.send('/projects', create)).status).toBe(200);
    const refused = await limited.send('/projects', create);
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([429, error(429), '60']);
  });
});

describe('the two interfaces', () => {
  it('share no path: neither the paths of the one nor its token work in the other', async () => {
    const { gateway } = parts;
    for (const path of [
      '/api/v1/auth/login',
      '/api/v1/balances',
      '/api/v1/projects',
      '/health',
      '/metrics',
      '/config',
      '/events',
    ]) {
      const { status, body } = await gateway.send(path);
      expect([path, status, body.error?.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    for (const path of ['/orders', '/auth/me', '/events', '/users', '/marketplaces']) {
      const { status, body } = await gateway.send(`/api/v1${path}`, as(token));
      expect([path, status, body.error]).toMatchObject([path, 401, { code: 'UNAUTHORIZED', details: { reason: 'unknown' } }]);
    }
    const inQuery = await gateway.send(`/api/v1/events?access_token=${token}&token=${token}`, nobody);
    expect([inQuery.status, inQuery.body.error.details.reason]).toEqual([401, 'missing']);
  });

  it('keep public routes public, whatever credential is sent', async () => {
    const { gateway, identity } = parts;
    for (const path of ['/api/v1/config', '/api/v1/health', '/openapi.json', '/asyncapi.json'])
      expect([path, (await gateway.send(path, as(token))).status]).toEqual([path, 200]);
    expect(await fetch(`${gateway.url}/docs`)).toMatchObject({ status: 200 });
    identity.state.behave = (request, response) =>
      request.url === '/auth/login' ? response.end('{}') : identity.defaultBehavior(request, response);
    for (const init of [nobody, as(masterKey), as(token), as(`${token}x`)]) {
      const headers = { ...init.headers, 'content-type': 'application/json' };
      expect((await gateway.send('/auth/login', { method: 'POST', body: '{}', headers })).status).toBe(200);
      const received = identity.received.findLast(({ url }) => url === '/auth/login');
      const signer = callerSigner({ secret: 'i'.repeat(40), clock: parts.clock });
      const header = received?.headers['x-holdfast-caller'];
      expect(signer.verify(typeof header === 'string' ? header : undefined, 'identity')).toMatchObject({
        caller: { type: 'anonymous' },
        clientAddress: '127.0.0.1',
      });
    }
  });
});

describe('the time limit of a request', () => {
  it('is three times as long for POST /escrow/init as for one that waits for a single saga', () => {
    const signer = callerSigner({ secret: 'i'.repeat(40), clock: parts.clock });
    const caller = { type: 'account', id: 'usr_1', marketplaceId: 'mkt_default', scopes: [] } as const;
    const outgoing = (route: RouteDeclaration) =>
      outgoingRequest(
        signer,
        { method: 'POST', originalUrl: fullPathOf(route), rawHeaders: [] },
        { route, caller, body: Buffer.alloc(0), requestId: '', address: '' },
      );
    expect(outgoing(initEscrow)).toMatchObject({ pool: 'waiting', timeoutFactor: 3 });
    expect(outgoing(releaseEscrow)).toMatchObject({ pool: 'waiting', timeoutFactor: 1 });
  });
});
