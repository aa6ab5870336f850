import type { RequestListener } from 'node:http';
import { webhookRoutes } from '@holdfast/contracts/http';
import { countedHeader, overLimitHeader } from '@holdfast/http/server';
import { manualClock } from '@holdfast/testing/clock';
import { eventually } from '@holdfast/testing/eventually';
import { aKeyText, aVerified, anIdentity } from './testing/an-identity.js';
import { aGateway, aService } from './testing/running-gateway.js';

const limit = 3;
const webhookPath = '/api/v1/webhooks/payment-provider';

/** Stands for payments: it verifies, reports what counts, and refuses an unsigned webhook of an address over the limit. */
const verifying: RequestListener = ({ headers }, response) => {
  if (headers['webhook-signature'] === 'right') return void response.writeHead(200).end('{"status":"ok","processed":true}');
  const status = headers[overLimitHeader] === undefined ? 401 : 429;
  response.writeHead(status, { [countedHeader]: 'true', 'content-type': 'application/json' }).end('{"error":{}}');
};

async function setUp(overrides: Parameters<typeof aGateway>[0] = {}) {
  const [identity, payments] = [await anIdentity(), await aService()];
  payments.state.behave = verifying;
  identity.known.set(aKeyText('1'), aVerified('1', ['read']));
  const serviceUrls = { identity: identity.url, payments: payments.url };
  const routes = Object.values(webhookRoutes);
  const gateway = await aGateway({ serviceUrls, routes, clock: manualClock(), rateLimitMax: limit, ...overrides });
  const send = async (signature: string, path = webhookPath, headers: Record<string, string> = {}) => {
    const response = await gateway.send(path, {
      method: 'POST',
      body: '{}',
      headers: { authorization: '', ...(signature === '' ? {} : { 'webhook-signature': signature }), ...headers },
    });
    return { ...response, remaining: response.headers.get('x-ratelimit-remaining') };
  };
  const statuses = async (signatures: readonly string[]) => {
    const found = [];
    for (const signature of signatures) found.push((await send(signature)).status);
    return found;
  };
  /** The gateway also polls the state of the provider, at times that no test knows. */
  const flags = () => payments.received.filter(({ url }) => url === webhookPath).map(({ headers }) => headers[overLimitHeader]);
  const stop = async () => {
    await gateway.stop();
    await Promise.all([identity.stop(), payments.stop()]);
  };
  return { gateway, payments, send, statuses, flags, stop };
}

let parts: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => void (parts = await setUp()));
afterEach(() => parts.stop());

describe('the rate limit of webhooks', () => {
  it('200 for every webhook with a valid signature, which counts for nothing', async () => {
    const sent = await Promise.all(Array.from({ length: limit * 4 }, () => parts.send('right')));
    expect(new Set(sent.map(({ status, remaining }) => `${status} ${remaining}`))).toEqual(new Set([`200 ${limit}`]));
  });

  it('429 RATE_LIMITED with details for unsigned and wrongly signed ones, which count for their address', async () => {
    expect(await parts.statuses(['', 'wrong', ''])).toEqual([401, 401, 401]);
    const { status, body, headers, remaining } = await parts.send('wrong');
    expect({ status, remaining, retryAfter: headers.get('retry-after') }).toEqual({
      status: 429,
      remaining: '0',
      retryAfter: '60',
    });
    expect(body.error).toMatchObject({ code: 'RATE_LIMITED', details: { limit, windowSeconds: 60, retryAfter: 60 } });
  });

  it('200 for a validly signed one of an address over the limit', async () => {
    await parts.statuses(['', '', '', '', '']);
    expect(await parts.statuses(['right', 'right', '', 'right'])).toEqual([200, 200, 429, 200]);
    expect((await parts.send('right')).headers.get('retry-after')).toBeNull();
  });

  it('marks a forwarded request if its address is over the limit, and only then', async () => {
    await parts.statuses(['right', '', '', '', '', 'right']);
    expect(parts.flags()).toEqual([undefined, undefined, undefined, undefined, 'true', 'true']);
  });

  it('counts other requests of the address as before, and refuses them over the limit', async () => {
    const other = () => parts.send('', '/api/v1/nothing');
    await parts.statuses(['', '']);
    expect([(await other()).status, (await other()).status]).toEqual([404, 429]);
    expect(await parts.statuses(['', 'right'])).toEqual([429, 200]);
  });

  it('counts an unsigned one for its address even if it carries a verified credential', async () => {
    const remaining = [];
    for (let sent = 0; sent < 2; sent += 1)
      remaining.push((await parts.send('', webhookPath, { authorization: `Bearer ${aKeyText('1')}` })).remaining);
    expect(remaining).toEqual(['2', '1']);
    expect((await parts.send('')).remaining).toBe('0');
  });

  it('counts a webhook that the gateway refuses itself, as its service never sees it', async () => {
    const encoded = () => parts.send('right', webhookPath, { 'content-encoding': 'gzip' });
    const statuses = [];
    for (let sent = 0; sent < limit + 1; sent += 1) statuses.push((await encoded()).status);
    expect(statuses).toEqual([415, 415, 415, 429]);
    expect(await parts.statuses(['right'])).toEqual([200]);
  });

  it('counts another method on the path on arrival', async () => {
    const { headers, status } = await parts.gateway.send(webhookPath, { headers: { authorization: '' } });
    expect({ status, remaining: headers.get('x-ratelimit-remaining') }).toEqual({ status: 405, remaining: '2' });
  });

  it('never shows the internal header to a client, and takes none from one', async () => {
    const { status, headers } = await parts.send('', webhookPath, { [overLimitHeader]: 'true' });
    expect({ status, internal: [...headers.keys()].filter((name) => name.startsWith('x-holdfast')) }).toEqual({
      status: 401,
      internal: [],
    });
    expect(parts.flags()).toEqual([undefined]);
  });

  it('forwards at most eight at a time for addresses over the limit; the others wait', async () => {
    const slow = await setUp({ proxyTimeoutMs: 20_000 });
    await slow.statuses(['', '', '', '']);
    const waiting: (() => void)[] = [];
    slow.payments.state.behave = (request, response) => {
      if (request.url === webhookPath) waiting.push(() => verifying(request, response));
    };
    const sent = Array.from({ length: 20 }, () => slow.send('right'));
    await eventually(() => expect(waiting).toHaveLength(8));
    let answered = 0;
    while (answered < sent.length) {
      await eventually(() => expect(waiting.length).toBeGreaterThan(answered));
      expect(waiting.length - answered).toBeLessThanOrEqual(8);
      waiting[answered]?.();
      answered += 1;
    }
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    await slow.stop();
  });

  it('503 for a service that is down, which counts for nothing', async () => {
    await parts.payments.stop();
    const { status, remaining } = await parts.send('right');
    expect({ status, remaining }).toEqual({ status: 503, remaining: String(limit) });
    await parts.stop();
    parts = await setUp();
  });

  it('has no limit and no headers with 0', async () => {
    const off = await setUp({ rateLimitMax: 0 });
    expect(await off.statuses(['', '', '', '', '', 'right'])).toEqual([401, 401, 401, 401, 401, 200]);
    expect((await off.send('')).remaining).toBeNull();
    await off.stop();
  });
});
