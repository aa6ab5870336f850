import { AppError, type ErrorCode } from '@holdfast/kernel/errors';
import { anAccountServer, bodyOf, declared, envelope, pathOf, refusal, validBodies } from './testing/account-server.js';
import { sendRaw } from './testing/test-server.js';

let server: Awaited<ReturnType<typeof anAccountServer>>;

beforeAll(async () => {
  server = await anAccountServer();
});
beforeEach(() => server.reset());
afterAll(() => server.stop());

describe.each(declared)('$method $path', (route) => {
  const sent = route.method === 'get' ? {} : { body: bodyOf(route.name) };

  it('200 with its message and the data', async () => {
    const data = { code: 200, type: 'success', ok: true, message: route.success.message, data: { some: 'data' } };
    expect(await server.call(route, sent)).toMatchObject({ status: 200, body: data });
  });

  it('422 for an unknown query parameter', async () => {
    const response = await server.call(route, { ...sent, query: '?colour=red' });
    expect(response).toMatchObject({ status: 422, body: refusal(['colour is not a known field']) });
  });

  it('405 with Allow for another method', async () => {
    const { status, headers, body } = await server.send(pathOf(route), { method: 'DELETE' });
    expect({ status, body }).toEqual({ status: 405, body: envelope(405, expect.any(String)) });
    expect(headers.get('allow')).toContain(route.method.toUpperCase());
  });

  it('401 without a valid caller token', async () => {
    const { status, headers, body } = await server.call(route, { ...sent, headers: { 'x-holdfast-caller': 'forged' } });
    expect({ status, body }).toEqual({ status: 401, body: envelope(401, expect.any(String)) });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each<[ErrorCode, number]>([
    ['INSUFFICIENT_FUNDS', 400],
    ['INVALID_STATE', 400],
    ['INVALID_PUBLIC_KEY', 400],
    ['UNAUTHORIZED', 401],
    ['NOT_FOUND', 404],
    ['USER_NOT_FOUND', 404],
    ['LIMIT_EXCEEDED', 422],
    ['USER_NOT_ACTIVE', 422],
    ['RATE_LIMITED', 429],
    ['INTERNAL_ERROR', 500],
    ['SERVICE_UNAVAILABLE', 503],
    ['PROVIDER_TIMEOUT', 504],
  ])('%s of its handler is %i, with the message of the route or the catalogue', async (code, expected) => {
    const error = new AppError(code, { retryAfter: 7, retryAfterSeconds: 7 });
    server.state.respond = () => Promise.reject(error);
    const { status, body, headers } = await server.call(route, sent);
    const message = route.errorMessages?.[code] ?? error.message;
    const errors = expected === 422 ? { errors: [message] } : {};
    expect({ status, body }).toEqual({ status: expected, body: { ...envelope(expected, message), ...errors } });
    expect(headers.get('retry-after')).toBe(expected === 429 || expected === 503 ? '7' : null);
  });
});

describe.each(declared.filter(({ name }) => name in validBodies))('the body of $method $path', (route) => {
  const { name } = route;

  it.each([
    ['broken JSON', '{"title":', 'the body is not valid JSON'],
    ['NaN', '{"amount":NaN}', 'the body is not valid JSON'],
    ['a list', '[]', 'the body must be a JSON object'],
    ['a text', '"title"', 'the body must be a JSON object'],
    ['null', 'null', 'the body must be a JSON object'],
    ['a field that would change prototypes', '{"__proto__":{}}', 'the body must not have a field called __proto__'],
    ['an unknown field', bodyOf(name, { isAdmin: true }), 'isAdmin is not a known field'],
  ])('422 for %s', async (_, body, error) => {
    expect(await server.call(route, { body })).toMatchObject({ status: 422, body: refusal([error]) });
    expect(server.state.runs).toBe(0);
  });

  it('422 for invalid UTF-8', async () => {
    const text = await sendRaw(server.port, [
      `${route.method.toUpperCase()} ${pathOf(route)} HTTP/1.1\r\nhost: x\r\nx-holdfast-caller: signed\r\n`,
      'content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n',
      Buffer.from([0xc3, 0x28]),
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 422 [^]*"errors":\["the body is not valid UTF-8"\]/);
  });

  it('415 for a body that is not declared as JSON', async () => {
    const { status, body } = await server.call(route, { body: bodyOf(name), headers: { 'content-type': 'text/plain' } });
    expect({ status, body }).toEqual({ status: 415, body: envelope(415, 'Send JSON with "Content-Type: application/json".') });
  });

  it('413 for a body above 256 KiB', async () => {
    const { status, body } = await server.call(route, { body: bodyOf(name, { name: 'x'.repeat(300_000) }) });
    expect({ status, body }).toEqual({ status: 413, body: envelope(413, 'The body is larger than 256 KiB.') });
  });

  it.each(Object.keys(validBodies[name] ?? {}).filter((field) => !isOptional(name, field)))(
    '422 if %s is missing or null',
    async (field) => {
      for (const value of [undefined, null]) {
        const { status, body } = await server.call(route, { body: bodyOf(name, { [field]: value }) });
        expect({ status, body }).toEqual({ status: 422, body: refusal([`${field} is required`]) });
      }
    },
  );

  it.each(Object.keys(validBodies[name] ?? {}))('422 if %s is a list or an object', async (field) => {
    for (const value of [[], {}]) {
      const { status, body } = await server.call(route, { body: bodyOf(name, { [field]: value }) });
      expect({ status, body }).toEqual({ status: 422, body: refusal([expect.stringMatching(`^${field} must `)]) });
    }
  });
});

function isOptional(route: string, field: string): boolean {
  return route === 'projects.create' && (field === 'description' || field === 'currency');
}

describe('a path that is not declared', () => {
  it.each(['/auth', '/auth/me', '/balances/', '/wallets/x?y=1', '/projects/a/b', '/escrow/init/x'])(
    '404 in the envelope of the account API: %s',
    async (path) => {
      const { status, body } = await server.send(path);
      expect({ status, body }).toEqual({ status: 404, body: envelope(404, 'This path does not exist.') });
    },
  );

  it.each(['/', '/authentication', '/api/v1/auth/login', '/api/v1/projects', '/health'])(
    '404 NOT_FOUND in the envelope of the platform API: %s',
    async (path) => {
      const { status, body } = await server.send(path);
      expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    },
  );
});
