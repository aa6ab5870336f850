import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConsoleSession } from './console-session.js';
import { aGateway, sendRaw } from './testing/running-gateway.js';

const session: ConsoleSession = { token: 'a.b.c', expiresAt: '2027-01-01T00:00:00.000000Z', nextCode: 'next' };
const script = `console.log(${JSON.stringify('x'.repeat(2_000))})`;

/** Two scripts, a map and, one folder above the assets, a file that must stay there. */
function aBuiltConsole(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-console-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<script nonce="__NONCE__"></script><style nonce="__NONCE__"></style>');
  writeFileSync(path.join(folder, 'build.json'), '{}');
  writeFileSync(path.join(folder, 'assets', 'main-AB12.js'), script);
  writeFileSync(path.join(folder, 'assets', 'main-AB12.js.map'), '{}');
  return folder;
}

let consoleFolder: string;
let gateway: Awaited<ReturnType<typeof aGateway>>;
const codes = new Set<string>();

beforeAll(async () => {
  consoleFolder = aBuiltConsole();
  const consoleSignIn = async (code: string) => (codes.delete(code) ? session : undefined);
  gateway = await aGateway({ consoleFolder, consoleSignIn });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(consoleFolder, { recursive: true });
});

const get = (at: string, init: RequestInit = {}) => fetch(`${gateway.url}${at}`, init);

describe('GET /console', () => {
  it.each(['/console', '/console/', '/console/orders', '/console/orders/ord_1?status=OPEN', '/console/a/b-c/d_e'])(
    '200 at %s with the page, a policy with its nonce, and no-store',
    async (at) => {
      const [first, second] = [await get(at), await get(at)];
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(first.headers.get('cache-control')).toBe('no-store');
      const policy = first.headers.get('content-security-policy') ?? '';
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
      expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'`);
      for (const part of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"]) expect(policy).toContain(part);
      expect(policy).not.toContain('unsafe');
      expect(await first.text()).toBe(`<script nonce="${nonce}"></script><style nonce="${nonce}"></style>`);
      expect(await second.text()).not.toContain(nonce);
    },
  );

  it('404 for a path that cannot be a page', async () => {
    const paths = ['/console.html', '/consoles', '/console/index.html', '/console//orders', '/console/%2e%2e%2fbuild.json'];
    expect(await Promise.all(paths.map(async (at) => (await get(at)).status))).toEqual(paths.map(() => 404));
  });

  it('404 where the console was not built', async () => {
    const empty = await aGateway({ consoleFolder: path.join(consoleFolder, 'nowhere') });
    expect((await fetch(`${empty.url}/console`)).status).toBe(404);
    await empty.stop();
  });

  it('404 for the page, its assets and the exchange with CONSOLE=off', async () => {
    const off = await aGateway({ console: 'off', consoleFolder });
    const paths = ['/console', '/console/orders', '/console/assets/main-AB12.js'];
    expect(await Promise.all(paths.map(async (at) => (await fetch(`${off.url}${at}`)).status))).toEqual([404, 404, 404]);
    expect((await fetch(`${off.url}/console/session`, { method: 'POST' })).status).toBe(404);
    await off.stop();
  });
});

describe('GET /console/assets/{name}', () => {
  it('200 with a file that the browser may keep for ever, compressed where it can read that', async () => {
    const response = await get('/console/assets/main-AB12.js');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect([response.headers.get('vary'), await response.text()]).toEqual(['Accept-Encoding', script]);
    const plain = await get('/console/assets/main-AB12.js', { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, script]);
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it.each([
    'nothing.js',
    'main-AB12.js.map',
    '../build.json',
    '..%2fbuild.json',
    '%2e%2e/build.json',
    '../../console/build.json',
  ])('404 for "%s"', async (name) => {
    const response = await sendRaw(
      gateway.port,
      `GET /console/assets/${name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
  });
});

type Sent = { readonly code?: unknown; readonly host?: string; readonly origin?: string; readonly contentType?: string };

/** `fetch` sets the Host itself. */
function exchange({ code = 'good', ...given }: Sent = {}) {
  const host = given.host ?? `localhost:${gateway.port}`;
  const origin = given.origin ?? `http://${host}`;
  const headers = { host, origin, 'content-type': given.contentType ?? 'application/json' };
  return new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const sent = request(`${gateway.url}/console/session`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject).end(JSON.stringify({ code }));
  });
}

const codeOf = (text: string): unknown => (JSON.parse(text) as { error: { code: string } }).error.code;

describe('POST /console/session', () => {
  beforeEach(() => codes.clear());

  it.each(['localhost', '127.0.0.1', '[::1]'])('201 with the token for a code on %s, once', async (name) => {
    codes.add('good');
    const host = `${name}:${gateway.port}`;
    const first = await exchange({ host });
    expect([first.status, JSON.parse(first.text)]).toEqual([201, { data: session }]);
    const second = await exchange({ host });
    expect([second.status, codeOf(second.text)]).toEqual([401, 'UNAUTHORIZED']);
  });

  it.each([
    ['a foreign Host', { host: 'evil.example' }],
    ['a Host that begins like loopback', { host: '127.0.0.1.evil.example' }],
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['the origin of another port', { origin: 'http://localhost:1' }],
    ['no origin', { origin: '' }],
  ])('403 with %s, and the code stays valid', async (_, sent) => {
    codes.add('good');
    const refused = await exchange(sent);
    expect([refused.status, codeOf(refused.text)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect((await exchange()).status).toBe(201);
  });

  it.each([
    ['400 VALIDATION_ERROR', 'a code that is not a text', { code: 7 }],
    ['400 VALIDATION_ERROR', 'an empty code', { code: '' }],
    ['400 VALIDATION_ERROR', 'an endless code', { code: 'x'.repeat(101) }],
    ['413 PAYLOAD_TOO_LARGE', 'a large body', { code: 'x'.repeat(2_000) }],
    ['415 UNSUPPORTED_MEDIA_TYPE', 'a form', { contentType: 'text/plain' }],
  ])('%s for %s', async (expected, _, sent) => {
    const { status, text } = await exchange(sent);
    expect(`${String(status)} ${String(codeOf(text))}`).toBe(expected);
  });

  it('404 where nothing issues codes', async () => {
    const without = await aGateway({ consoleFolder });
    expect((await fetch(`${without.url}/console/session`, { method: 'POST' })).status).toBe(404);
    await without.stop();
  });
});
