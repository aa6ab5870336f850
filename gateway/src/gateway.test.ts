import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { eventually } from '@holdfast/testing/eventually';
import { aGateway, aService, masterKey, sendRaw, type ReceivedRequest } from './testing/running-gateway.js';

type Gateway = Awaited<ReturnType<typeof aGateway>>;
type Service = Awaited<ReturnType<typeof aService>>;

const creditPath = '/api/v1/users/usr_1/credit';
const credit = { method: 'POST', body: '{"amount":"1.00"}', headers: { 'content-type': 'application/json' } };

let service: Service;
let gateway: Gateway;
let defaultBehavior: Service['state']['behave'];

beforeAll(async () => {
  service = await aService();
  defaultBehavior = service.state.behave;
  gateway = await aGateway({
    serviceUrls: { 'ledger-balance': service.url, orders: 'http://127.0.0.1:9' },
  });
});
afterEach(() => {
  service.state.behave = defaultBehavior;
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

function lastReceived(): ReceivedRequest {
  const request = service.received.at(-1);
  if (request === undefined) throw new Error('the service has received no request');
  return request;
}

describe('a request to a declared route', () => {
  it('200 reaches its service unchanged, with a signed caller token', async () => {
    const requestId = randomUUID();
    const { status, body, headers } = await gateway.send(`${creditPath}?a=%20b`, {
      ...credit,
      headers: { ...credit.headers, 'x-request-id': requestId },
    });
    expect({ status, body, requestId: headers.get('x-request-id') }).toEqual({
      status: 200,
      body: { data: 'from the service' },
      requestId,
    });
    expect(lastReceived()).toMatchObject({ method: 'POST', url: `${creditPath}?a=%20b`, body: credit.body });
    expect(lastReceived().headers).toMatchObject({ 'x-request-id': requestId, 'content-type': 'application/json' });
    expect(gateway.callerOf(lastReceived())).toEqual({
      type: 'master',
      id: 'master',
      marketplaceId: 'mkt_default',
      scopes: ['read', 'write', 'support'],
    });
  });

  it('passes status, headers and body of the response through', async () => {
    service.state.behave = (_request, response) =>
      response.writeHead(422, { 'x-own': 'kept', 'set-cookie': ['a=1', 'b=2'], 'x-holdfast-secret': 'no' }).end('{"error":{}}');
    const { status, headers, text } = await gateway.send(creditPath, credit);
    expect({ status, text, own: headers.get('x-own'), cookies: headers.getSetCookie() }).toEqual({
      status: 422,
      text: '{"error":{}}',
      own: 'kept',
      cookies: ['a=1', 'b=2'],
    });
    expect(headers.get('x-holdfast-secret')).toBeNull();
  });

  it('200 for HEAD wherever GET is declared, with the headers of the service and no body', async () => {
    service.state.behave = (_request, response) => response.writeHead(200, { 'x-own': 'kept', 'content-length': '7' }).end();
    const { status, headers, text } = await gateway.send('/api/v1/users/usr_1/balance', { method: 'HEAD' });
    expect([status, headers.get('x-own'), text, lastReceived().method]).toEqual([200, 'kept', '', 'HEAD']);
  });

  it('forwards neither credentials nor hop-by-hop nor internal headers', async () => {
    const head = `GET /api/v1/users/usr_1/balance HTTP/1.1\r\nHost: outside\r\nAuthorization: Bearer ${masterKey}\r\nCookie: c=1\r\n`;
    const odd =
      'X-Holdfast-Caller: forged\r\nx-HOLDFAST-other: 1\r\nTE: trailers\r\nX-Mine: 1\r\nConnection: close, x-mine\r\nX-Kept: 1\r\n\r\n';
    expect(await sendRaw(gateway.port, head + odd)).toMatch(/^HTTP\/1\.1 200/);
    const { headers } = lastReceived();
    for (const name of ['authorization', 'cookie', 'te', 'x-mine', 'x-holdfast-other']) expect(headers[name]).toBeUndefined();
    expect(headers['x-kept']).toBe('1');
    expect(gateway.callerOf(lastReceived()).type).toBe('master');
  });

  it('has security headers on every response', async () => {
    for (const path of [creditPath, '/api/v1/nothing', '/api/v1/health']) {
      const { headers } = await gateway.send(path, path === creditPath ? credit : {});
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('strict-transport-security')).toContain('max-age');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('streams a response chunk by chunk', async () => {
    let finish: () => void = () => undefined;
    service.state.behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('first');
      finish = () => response.end('last');
    };
    const response = await fetch(`${gateway.url}/api/v1/users/usr_1/balance`, {
      headers: { authorization: `Bearer ${masterKey}` },
    });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('last');
  });

  it('sends the headers of a stream before its first event', async () => {
    let finish: () => void = () => undefined;
    service.state.behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      finish = () => response.end('later');
    };
    const headers = { authorization: `Bearer ${masterKey}` };
    const response = await fetch(`${gateway.url}/api/v1/users/usr_1/balance`, { headers });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    finish();
    expect(await response.text()).toBe('later');
  });

  it('passes Content-Length on, in however many chunks the body arrives', async () => {
    service.state.behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '14' }).write('{"data"');
      setImmediate(() => response.end(':"one"}'));
    };
    const pieces = await gateway.send(creditPath, credit);
    service.state.behave = (_request, response) => response.writeHead(200, { 'content-length': '0' }).end();
    const nothing = await gateway.send(creditPath, credit);
    expect([pieces.headers.get('content-length'), pieces.text]).toEqual(['14', '{"data":"one"}']);
    expect([nothing.headers.get('content-length'), nothing.text]).toEqual(['0', '']);
  });

  it('applies backpressure to the service when the client reads slowly', async () => {
    const megabytes = 64;
    let written = 0;
    service.state.behave = (_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1024 * 1024);
      const push = (): void => {
        while (written < megabytes) {
          written += 1;
          if (!response.write(chunk)) return;
        }
        response.end();
      };
      response.on('drain', push);
      push();
    };
    const received = await new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${masterKey}` };
      httpRequest(`${gateway.url}/api/v1/users/usr_1/balance`, { headers }, (response) => {
        let bytes = 0;
        setTimeout(() => {
          expect(written).toBeLessThan(megabytes / 2);
          response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        }, 300);
        response.on('end', () => resolve(bytes));
      })
        .on('error', reject)
        .end();
    });
    expect(received).toBe(megabytes * 1024 * 1024);
  });

  it('aborts the request to the service when the client disconnects', async () => {
    let hasLeft = false;
    service.state.behave = (_request, response) => void response.on('close', () => (hasLeft = true));
    const leaving = new AbortController();
    const pending = gateway.send(creditPath, { ...credit, signal: leaving.signal }).catch(() => undefined);
    const before = service.received.length;
    await eventually(() => expect(service.received.length).toBeGreaterThan(before));
    leaving.abort();
    await pending;
    await eventually(() => expect(hasLeft).toBe(true));
    expect(gateway.log.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });
});

describe('unknown paths and methods', () => {
  it.each([
    '/livez',
    '/metrics',
    '/readyz',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v1/users/usr_1',
    '/api/v1/users//credit',
    '/api/v1/users/a%2Fb/credit/x',
  ])('404 NOT_FOUND at %s, without a request to any service', async (path) => {
    const before = service.received.length;
    const { status, body } = await gateway.send(path);
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(service.received).toHaveLength(before);
  });

  it('405 METHOD_NOT_ALLOWED with the allowed methods', async () => {
    const { status, body, headers } = await gateway.send(creditPath, { method: 'DELETE' });
    expect({ status, code: body.error.code, allow: headers.get('allow') }).toEqual({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      allow: 'POST',
    });
  });
});

describe('credentials', () => {
  it.each([
    '', 'Bearer', 'Bearer ', `Bearer ${masterKey}x`, `Bearer ${masterKey.slice(1)}`, `Basic ${masterKey}`, masterKey, `Bearer  ${masterKey}`,
    `Bearer ${masterKey} ${masterKey}`, `Bearer ${masterKey}, Bearer ${masterKey}`, `Bearer ${'x'.repeat(5_000)}`,
  ])('401 UNAUTHORIZED for %.60j', async (authorization) => {
    const { status, body, headers } = await gateway.send(creditPath, { ...credit, headers: { ...credit.headers, authorization } });
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  }); // prettier-ignore

  it('401 UNAUTHORIZED for two Authorization headers, even of the same key', async () => {
    const header = `Authorization: Bearer ${masterKey}\r\n`;
    const received = await sendRaw(
      gateway.port,
      `GET /api/v1/users/usr_1/balance HTTP/1.1\r\nHost: x\r\n${header}${header}Connection: close\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 401[^]*UNAUTHORIZED/);
  });

  it('404 MARKETPLACE_NOT_FOUND for an unknown marketplace, 200 for the default one', async () => {
    const pending = (id: string) =>
      gateway.send(creditPath, { ...credit, headers: { ...credit.headers, 'x-marketplace-id': id } });
    expect((await pending('not a marketplace')).body.error.code).toBe('MARKETPLACE_NOT_FOUND');
    expect((await pending('mkt_default')).status).toBe(200);
  });

  it('200 on a public route without a credential', async () => {
    const response = await fetch(`${gateway.url}/api/v1/topups/topup_1/callback`);
    expect(response.status).toBe(200);
    expect(gateway.callerOf(lastReceived())).toMatchObject({ type: 'anonymous', id: 'anonymous', scopes: [] });
    expect((await gateway.send('/api/v1/topups/topup_1/callback')).status).toBe(200);
    expect(gateway.callerOf(lastReceived()).type).toBe('anonymous');
  });

  it('never appear in the log', async () => {
    await gateway.send(creditPath, credit);
    expect(JSON.stringify(gateway.log.lines)).not.toContain(masterKey);
  });
});

describe('bodies', () => {
  it('413 PAYLOAD_TOO_LARGE above 256 KiB, with and without a Content-Length, without a request to the service', async () => {
    const before = service.received.length;
    const tooLarge = 'x'.repeat(300 * 1024);
    expect((await gateway.send(creditPath, { ...credit, body: tooLarge })).status).toBe(413);
    const chunked = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(tooLarge));
        controller.close();
      },
    });
    expect((await gateway.send(creditPath, { ...credit, body: chunked, duplex: 'half' })).status).toBe(413);
    expect(service.received).toHaveLength(before);
  });

  it('are forwarded byte for byte, whatever their content', async () => {
    await gateway.send(creditPath, { ...credit, body: '{"broken": ', headers: { 'content-type': 'text/odd' } });
    expect(lastReceived()).toMatchObject({ body: '{"broken": ', headers: { 'content-type': 'text/odd' } });
  });
});

describe('health', () => {
  it('200 with status, version and time, without a credential', async () => {
    const response = await fetch(`${gateway.url}/api/v1/health`);
    const { data, meta } = (await response.json()) as { data: unknown; meta: { timestamp: string } };
    expect(data).toEqual({ status: 'healthy', version: expect.stringMatching(/^\d+\.\d+\.\d+/), timestamp: meta.timestamp });
  });
});
