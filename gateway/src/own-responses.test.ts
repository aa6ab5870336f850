import { allRoutes } from '@holdfast/contracts/http';
import { allMessages } from '@holdfast/contracts/messages';
import { exampleUsers } from '@holdfast/contracts/openapi';
import { eventually } from '@holdfast/testing/eventually';
import { aBroker, aGateway, aService, memoryStores } from './testing/running-gateway.js';

async function setUp(overrides: Parameters<typeof aGateway>[0] = {}, stores = memoryStores()) {
  const service = await aService();
  const gateway = await aGateway({ serviceUrls: { 'ledger-balance': service.url }, ...overrides }, stores);
  const get = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);
  const stop = async () => {
    await gateway.stop();
    await service.stop();
  };
  return { service, gateway, get, stop };
}

let parts: Awaited<ReturnType<typeof setUp>>;
beforeAll(
  async () => void (parts = await setUp({ rateLimitMax: 1_000, orderAmountMax: '700', escrowCurrencies: ['USD', 'USDC'] })),
);
afterAll(() => parts.stop());

describe('GET /config', () => {
  it('200 with the configuration, without a credential', async () => {
    const { data } = (await (await parts.get('/api/v1/config')).json()) as { data: Record<string, unknown> };
    expect(data).toMatchObject({
      currencies: ['USD', 'USDC', 'XLM'],
      baseCurrency: 'USD',
      escrowCurrencies: ['USD', 'USDC'],
      limits: { topup: { min: '1.00', max: '10000.00' }, order: { min: '1.00', max: '700.00' } },
      platformFeePercent: 5,
      rateLimit: { limit: 1_000, windowSeconds: 60 },
      features: { balances: true },
      version: '1.2.3',
    });
  });
});

describe('HEAD', () => {
  it.each(['/api/v1/config', '/api/v1/health', '/api/v1/health/detailed', '/docs', '/openapi.json', '/asyncapi.json'])(
    '200 at %s, without a body',
    async (path) => {
      const response = await parts.get(path, { method: 'HEAD' });
      expect([response.status, await response.text()]).toEqual([200, '']);
      expect(response.headers.get('x-ratelimit-limit')).toBe('1000');
    },
  );

  it('401 and 404 as GET, 405 where there is no GET', async () => {
    const paths = ['/api/v1/orders', '/api/v1/nothing', '/api/v1/users/usr_1/credit'];
    const responses = await Promise.all(paths.map((path) => parts.get(path, { method: 'HEAD' })));
    expect(responses.map(({ status }) => status)).toEqual([401, 404, 405]);
    expect(responses[0]?.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('GET /health/detailed', () => {
  it('200 with the health of every dependency', async () => {
    const response = await parts.get('/api/v1/health/detailed');
    const up = { status: 'healthy', latencyMs: expect.any(Number) };
    expect(response.status).toBe(200);
    expect(((await response.json()) as { data: unknown }).data).toMatchObject({
      status: 'healthy',
      version: '1.2.3',
      dependencies: { database: up, broker: up, 'ledger-balance': up },
      warnings: [],
    });
  });

  it('503 with the same body when a dependency of our own is unhealthy, without the cause', async () => {
    const stores = { ...memoryStores(), ping: () => Promise.reject(new Error('password of the database')) };
    const broken = await setUp({ broker: { ...aBroker(), isHealthy: () => false } }, stores);
    const response = await broken.get('/api/v1/health/detailed');
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(JSON.parse(text).data).toMatchObject({
      status: 'unhealthy',
      dependencies: { database: { status: 'unhealthy', error: 'it is not ready' }, broker: { status: 'unhealthy' } },
    });
    expect(text).not.toContain('password');
    expect((await broken.get('/api/v1/health')).status).toBe(200);
    await broken.stop();
  });

  it('503 after the first probe of a service that is not ready, 200 when it is ready again', async () => {
    const { service, get, stop } = await setUp({ probeEveryMs: 50 });
    const statusNow = async () => (await get('/api/v1/health/detailed')).status;
    service.state.isReady = false;
    await eventually(async () => expect(await statusNow()).toBe(503));
    service.state.isReady = true;
    await eventually(async () => expect(await statusNow()).toBe(200));
    await stop();
  });
});

describe('providers', () => {
  const upWith = (latencyMs: number) => ({ status: 'healthy', latencyMs });
  const states = {
    escrowProvider: { kind: 'sandbox', health: upWith(1.5) },
    ledgerNetwork: { kind: 'live', health: upWith(2.5) },
  };
  const withAdapter = async (data: unknown, statusCode = 200) => {
    const adapter = await aService();
    adapter.state.behave = (_request, response) =>
      response.writeHead(statusCode, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    const running = await setUp({ serviceUrls: { 'escrow-adapter': adapter.url } });
    const dataOf = async (path: string) => {
      const response = await running.get(`/api/v1${path}`);
      return { status: response.status, data: ((await response.json()) as { data: Record<string, unknown> }).data };
    };
    const stop = async () => {
      await running.stop();
      await adapter.stop();
    };
    return { adapter, dataOf, stop };
  };

  it('are none without escrow-adapter', async () => {
    const { data } = (await (await parts.get('/api/v1/config')).json()) as { data: Record<string, unknown> };
    expect(data['providers']).toEqual({ payment: 'none', escrow: 'none', ledgerNetwork: 'none' });
  });

  it('are those that escrow-adapter reports', async () => {
    const { adapter, dataOf, stop } = await withAdapter(states);
    expect((await dataOf('/config')).data['providers']).toEqual({ payment: 'none', escrow: 'sandbox', ledgerNetwork: 'live' });
    const { status, data } = await dataOf('/health/detailed');
    expect([status, data['status']]).toEqual([200, 'healthy']);
    expect(data['dependencies']).toMatchObject({ escrowProvider: upWith(1.5), ledgerNetwork: upWith(2.5) });
    expect(adapter.received[0]).toMatchObject({ method: 'GET', url: '/api/v1/internal/providers' });
    await stop();
  });

  it('200 with status degraded when one of them is unhealthy', async () => {
    const down = { kind: 'live', health: { status: 'unhealthy', latencyMs: 3, error: 'it is not ready' } };
    const { dataOf, stop } = await withAdapter({ ...states, ledgerNetwork: down });
    const { status, data } = await dataOf('/health/detailed');
    expect([status, data['status']]).toEqual([200, 'degraded']);
    expect(data['dependencies']).toMatchObject({ ledgerNetwork: down.health });
    await stop();
  });

  it('count as unhealthy while escrow-adapter gives no valid response', async () => {
    const { dataOf, stop } = await withAdapter('nonsense');
    const { status, data } = await dataOf('/health/detailed');
    expect([status, data['status']]).toEqual([200, 'degraded']);
    expect(data['dependencies']).toMatchObject({
      escrowProvider: { status: 'unhealthy', error: 'its status is unknown right now' },
    });
    await stop();
  });
});

describe('the API reference', () => {
  it.each(['/openapi.json', '/api/v1/openapi.json'])('200 at %s has every declared route', async (path) => {
    const document = (await (await parts.get(path)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(document.openapi).toBe('3.1.0');
    for (const route of allRoutes) expect(document.paths[route.path]).toHaveProperty(route.method);
  });

  it('200 at /asyncapi.json has every public event and no internal message', async () => {
    const document = (await (await parts.get('/asyncapi.json')).json()) as {
      asyncapi: string;
      info: { version: string };
      channels: { events: { messages: Record<string, unknown> } };
    };
    const shown = Object.keys(document.channels.events.messages);
    expect([document.asyncapi, document.info.version]).toEqual(['3.0.0', '1.2.3']);
    for (const { type, visibility } of allMessages) expect([type, shown.includes(type)]).toEqual([type, visibility === 'public']);
  });

  it('302 at / leads to /docs, and nowhere else', async () => {
    for (const path of ['/', '/?to=https://evil.example']) {
      const { status, headers } = await parts.get(path, { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([302, '/docs']);
    }
    expect((await parts.get('/', { method: 'POST' })).status).toBe(404);
  });

  it('200 at /docs loads only scripts of this gateway', async () => {
    const page = await parts.get('/docs');
    const html = await page.text();
    const files = [...html.matchAll(/src="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';connect-src 'self';font-src 'self';img-src 'self' data:;base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(html).not.toMatch(/<script>|<style|style=|onclick=/);
    expect(files).toEqual(['/docs/scalar.js', '/docs/configuration.js']);
    const script = await parts.get('/docs/configuration.js');
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it.each(['/openapi.json', '/asyncapi.json'])(
    '304 at %s for a browser that has it, else compressed where it may be',
    async (path) => {
      const compressed = await parts.get(path, { headers: { 'accept-encoding': 'gzip' } });
      const plain = await parts.get(path, { headers: { 'accept-encoding': 'identity' } });
      const names = ['content-encoding', 'cache-control', 'vary'];
      expect(names.map((name) => compressed.headers.get(name))).toEqual(['gzip', 'no-cache', 'Accept-Encoding']);
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await compressed.text()).toBe(await plain.text());
      const again = await parts.get(path, {
        headers: { 'if-none-match': plain.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
      });
      expect(again.status).toBe(304);
    },
  );

  it('200 at /openapi.json uses the demo users in its examples if they are set', async () => {
    const demo = await setUp({ demoUsers: { buyerId: 'usr_demoBuyer', sellerId: 'usr_demoSeller' } });
    const text = await (await demo.get('/openapi.json')).text();
    await demo.stop();
    for (const id of ['usr_demoBuyer', 'usr_demoSeller']) expect(text).toContain(id);
    expect(text).not.toContain(exampleUsers.buyerId);
  });

  it.each(['/docs/index.html', '/docs/..%2Fpackage.json', '/docs/.%2e/package.json', '/docs/configuration.js/x'])(
    '404 NOT_FOUND at %s',
    async (path) => expect((await parts.get(path)).status).toBe(404),
  );
});

describe('browsers of other origins', () => {
  const preflight = { method: 'OPTIONS', headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' } };
  const path = '/api/v1/users/usr_1/balance';

  it('405 and no CORS headers without CORS_ORIGINS', async () => {
    const response = await parts.get(path, preflight);
    expect(response.status).toBe(405);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('204 with CORS headers for exactly the origins in CORS_ORIGINS', async () => {
    const open = await setUp({ corsOrigins: 'https://shop.example, https://other.example' });
    const allowed = await open.get(path, preflight);
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, 'https://shop.example']);
    expect(allowed.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
    const other = await open.get(path, { headers: { origin: 'https://other.example' } });
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([401, 'https://other.example']);
    for (const origin of ['https://shop.example.evil', 'http://shop.example', 'null']) {
      const refused = await open.get(path, { ...preflight, headers: { ...preflight.headers, origin } });
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([405, null]);
    }
    await open.stop();
  });
});
