import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@holdfast/testing/eventually';
import { aServer, request, sendRaw } from './testing/test-server.js';

type TestServer = Awaited<ReturnType<typeof aServer>>;
type Refused = { readonly status: number; readonly code: string; readonly faults: readonly string[] };

const path = '/api/v1/users/usr_1/credit';
let server: TestServer;

beforeAll(async () => {
  server = await aServer({ bodyLimits: { bytesMax: 256 * 1024, drainBytesMax: 1024 * 1024, timeoutMs: 300 } });
});
afterAll(() => server.stop());
afterEach(async () => expect((await post('{"amount":"1"}')).status).toBe(200));

async function post(body: string | Buffer, contentType = 'application/json'): Promise<Refused> {
  const result = await server.send(path, { method: 'POST', body, headers: { 'content-type': contentType } });
  return { status: result.status, code: result.body.error?.code, faults: result.body.error?.details.validationErrors ?? [] };
}

function invalid(...faults: readonly string[]): Refused {
  return { status: 400, code: 'VALIDATION_ERROR', faults };
}

describe('400 VALIDATION_ERROR names every fault', () => {
  it.each([
    ['{}', ['amount is missing']],
    ['', ['amount is missing']],
    ['{"amount":null}', ['amount must be a string']],
    ['{"amount":12.5}', ['amount must be a string']],
    ['{"amount":1e400}', ['amount must be a string']],
    ['{"amount":99999999999999999999999}', ['amount must be a string']],
    ['{"amount":["1"]}', ['amount must be a string']],
    ['{"amount":"1","extra":1}', ['extra is not a known field']],
    ['{"amount":"x","extra":1}', ['amount must be a decimal string such as "12.50"', 'extra is not a known field']],
    ['{"amount":"1","kind":"LOAN"}', ['kind must be one of GIFT, WAGE']],
    ['{"amount":"1","clientRef":"01234567890"}', ['clientRef must have at most 10 characters']],
    ['{"amount":"1","clientRef":" "}', ['clientRef must not be empty']],
    ['{"amount":"1","count":0}', ['count must be at least 1']],
    ['{"amount":"1","count":1.5}', ['count must be a whole number']],
    ['{"amount":"1","count":"1"}', ['count must be a number']],
    ['{"amount":"1","milestones":[{"milestoneRef":1},{"x":1}]}', [
      'milestones[0].milestoneRef must be a string', 'milestones[1].milestoneRef is missing', 'milestones[1].x is not a known field',
    ]],
    ['{"amount":"1","milestones":{}}', ['milestones must be a list']],
    ['{"amount":"1","metadata":[]}', ['metadata must be an object']],
    ['{"amount":"1","clientRef":"a","client_ref":"a"}', ['clientRef is given twice, as clientRef and as client_ref']],
    ['[]', ['the body must be a JSON object']],
    ['null', ['the body must be a JSON object']],
    ['"text"', ['the body must be a JSON object']],
    ['{"amount":"1"', ['the body is not valid JSON']],
    ["{'amount':'1'}", ['the body is not valid JSON']],
    ['{"amount":NaN}', ['the body is not valid JSON']],
    ['\uFEFF{"amount":"1"}', ['the body is not valid JSON']],
    ['{"amount":"1","__proto__":{"isAdmin":true}}', ['the body must not have a field called __proto__']],
    ['{"amount":"1","metadata":{"a":{"\\u005f_proto__":1}}}', ['the body must not have a field called __proto__']],
    ['{"amount":"1","metadata":{"constructor":{"prototype":{"x":1}}}}', ['the body must not have a field called constructor']],
  ])('%s', async (body, faults) => {
    expect(await post(body)).toEqual(invalid(...faults));
  }); // prettier-ignore

  it('invalid UTF-8', async () => {
    expect(await post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))).toEqual(
      invalid('the body is not valid UTF-8'),
    );
  });

  it.each(['[', '{"a":'])('100,000 levels of %s, without recursing into them', async (opening) => {
    const closing = opening === '[' ? ']' : '}';
    const bomb = `{"amount":"1","metadata":{"x":${opening.repeat(30_000)}1${closing.repeat(30_000)}}}`;
    expect(await post(bomb)).toEqual(invalid('the body is nested deeper than 16 levels'));
    expect(await post('['.repeat(100_000))).toEqual(invalid('the body is not valid JSON'));
    expect(await post('['.repeat(100_000) + ']'.repeat(100_000))).toEqual(invalid('the body must be a JSON object'));
  });

  it('with messages limited in number and length', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}${'x'.repeat(100)}`, 1]));
    const { faults } = await post(JSON.stringify({ amount: 'y'.repeat(100_000), ...fields }));
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe('and 981 more');
    expect(faults.join('').length).toBeLessThan(21 * 210);
  });
});

describe('null for an optional field', () => {
  const bodyOf = () => (server.received.at(-1)?.input as { readonly body: unknown }).body;

  it('200 as if it were left out, in both spellings and in nested objects', async () => {
    const given = { amount: '1', client_ref: null, kind: null, milestones: [{ milestoneRef: 'a', dueAt: null }], metadata: null };
    expect((await post(JSON.stringify(given))).status).toBe(200);
    expect(bodyOf()).toEqual({ amount: '1', currency: 'USD', milestones: [{ milestoneRef: 'a' }] });
  });

  it('200 with the default of the field', async () => {
    expect((await post('{"amount":"1","currency":null}')).status).toBe(200);
    expect(bodyOf()).toEqual({ amount: '1', currency: 'USD' });
  });

  it('200 keeps null inside free-form metadata', async () => {
    expect((await post('{"amount":"1","metadata":{"tier":null}}')).status).toBe(200);
    expect(bodyOf()).toMatchObject({ metadata: { tier: null } });
  });

  it.each([
    ['{"amount":"1","colour":null}', 'colour is not a known field'],
    ['{"amount":"1","milestones":[{"milestoneRef":null}]}', 'milestones[0].milestoneRef must be a string'],
    ['{"amount":"1","clientRef":null,"client_ref":"a"}', 'clientRef is given twice, as clientRef and as client_ref'],
  ])('400 VALIDATION_ERROR for %s', async (body, fault) => {
    expect(await post(body)).toEqual(invalid(fault));
  });
});

describe('400 INVALID_AMOUNT', () => {
  it.each([
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1e3',
    '1,5',
    '0x10',
    '1.234',
    '123456789012',
    '١٢',
    '１２',
    '1.',
    '.5',
    'NaN',
    '1\n',
    '1\u0000',
  ])('for the string %j if it is the only fault', async (amount) => {
    expect(await post(JSON.stringify({ amount }))).toMatchObject({ status: 400, code: 'INVALID_AMOUNT' });
    expect(await post(JSON.stringify({ amount, count: 0 }))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('query parameters', () => {
  it.each([
    ['limit=0', 'limit must be a whole number from 1 to 100, such as 20'],
    ['limit=101', 'limit must be a whole number from 1 to 100, such as 20'],
    ['limit=ten', 'limit must be a whole number from 1 to 100, such as 20'],
    ['limit=1e1', 'limit must be a whole number from 1 to 100, such as 20'],
    ['limit=', 'limit must be a whole number from 1 to 100, such as 20'],
    ['limit=1&limit=2', 'limit is given more than once'],
    [
      'createdAfter=2026-01-31T12:00:00Z&created_after=2026-01-31T12:00:00Z',
      'createdAfter is given twice, as createdAfter and as created_after',
    ],
    [
      'created_after=yesterday',
      'created_after must be a date or a date and time in ISO 8601, such as "2026-01-31" or "2026-01-31T12:00:00Z"',
    ],
    ['colour=red', 'colour is not a known field'],
    ['__proto__=1', '__proto__ is not a known field'],
    ['constructor=1', 'constructor is not a known field'],
  ])('400 VALIDATION_ERROR for ?%s', async (query, fault) => {
    const { status, body } = await server.send(`/api/v1/users/usr_1/credits?${query}`);
    expect({ status, faults: body.error.details.validationErrors }).toEqual({ status: 400, faults: [fault] });
  });
});

describe('bodies that are not JSON', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    'multipart/form-data',
  ])('415 UNSUPPORTED_MEDIA_TYPE for %s', async (contentType) => {
    expect(await post('{"amount":"1"}', contentType)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    '200 for %s',
    async (contentType) => {
      expect((await post('{"amount":"1"}', contentType)).status).toBe(200);
    },
  );

  it.each(['gzip', 'br', 'deflate, gzip'])('415 UNSUPPORTED_MEDIA_TYPE for the Content-Encoding %s', async (encoding) => {
    const headers = { 'content-encoding': encoding };
    const { status, body } = await server.send(path, { method: 'POST', body: '{"amount":"1"}', headers });
    expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(body.error.message).toContain('Content-Encoding');
  });

  it('201 on a route that ignores bodies, whatever the body', async () => {
    const { status } = await server.send('/api/v1/users/usr_1/order', {
      method: 'POST',
      body: '{"',
      headers: { 'content-type': 'text/plain' },
    });
    expect(status).toBe(201);
  });
});

describe('bodies that are too large', () => {
  it('413 PAYLOAD_TOO_LARGE for 300 KiB, on a connection that stays open', async () => {
    expect(await post(JSON.stringify({ amount: 'x'.repeat(300 * 1024) }))).toMatchObject({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  it('200 for a body of exactly the limit', async () => {
    const frame = JSON.stringify({ amount: '1', metadata: { text: '' } });
    const body = frame.replace('""', `"${'x'.repeat(256 * 1024 - frame.length)}"`);
    expect((await post(body)).status).toBe(200);
    expect((await post(`${body} `)).status).toBe(413);
  });

  it('413 without a Content-Length', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-holdfast-caller': 'signed' };
      const sending = httpRequest(`${server.url}${path}`, { method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode),
      );
      sending.on('error', reject);
      for (let sent = 0; sent < 300; sent += 1) sending.write('x'.repeat(1024));
      sending.end();
    });
    expect(status).toBe(413);
  });

  it('413 and a closed connection for an endless body', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`;
    const received = await sendRaw(server.port, [head, ...Array.from({ length: 1_100 }, () => 'x'.repeat(1024))]);
    expect(received).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/);
  });
});

describe('headers that are too large', () => {
  const start = `GET /api/v1/users/usr_1/credits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  const refused = /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n[^]*HEADERS_TOO_LARGE/;

  it('431 HEADERS_TOO_LARGE for more than 16 KiB', async () => {
    expect(await sendRaw(server.port, [`${start}x: ${'y'.repeat(20_000)}\r\n\r\n`])).toMatch(refused);
  });

  it('431 HEADERS_TOO_LARGE for more than 1,000, and 200 for exactly 1,000, with all of them read', async () => {
    const caller = 'x-holdfast-caller: signed\r\n';
    expect(await sendRaw(server.port, [`${start}${'a:\r\n'.repeat(998)}${caller}\r\n`])).toMatch(refused);
    expect(await sendRaw(server.port, [`${start}${'a:\r\n'.repeat(997)}${caller}\r\n`])).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('bodies that do not arrive', () => {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nx-holdfast-caller: signed\r\nContent-Type: application/json\r\n`;

  it('400 VALIDATION_ERROR for a slow body, on a connection that is then closed', async () => {
    const received = await sendRaw(server.port, [`${head}Content-Length: 100\r\n\r\n{"amount"`]);
    expect(received).toMatch(/^HTTP\/1\.1 400 [^]*the body did not arrive within 0.3 seconds/);
  });

  it('the handler does not run when the client disconnects during the body', async () => {
    const before = server.received.length;
    await sendRaw(server.port, [`${head}Content-Length: 100\r\n\r\n{"amount":"1"}`], { end: true });
    await pause(20);
    expect(server.received).toHaveLength(before);
  });

  it('400 for invalid HTTP', async () => {
    expect(await sendRaw(server.port, ['NONSENSE\r\n\r\n'])).toMatch(/^HTTP\/1\.1 400 [^]*the request is not valid HTTP/);
    expect(await sendRaw(server.port, [`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`])).toMatch(
      /^HTTP\/1\.1 400/,
    );
    expect(await sendRaw(server.port, [`${head}Content-Length: -5\r\n\r\n`])).toMatch(/^HTTP\/1\.1 400/);
  });

  it('two hundred slow clients do not delay others', async () => {
    const slow = Array.from({ length: 200 }, () => sendRaw(server.port, [`${head}Content-Length: 100\r\n\r\n{`]));
    const result = await request(`${server.url}${path}`, { method: 'POST', body: '{"amount":"1"}' });
    expect(result.status).toBe(200);
    const received = await Promise.all(slow);
    await eventually(() => expect(received.every((text) => text.startsWith('HTTP/1.1 400'))).toBe(true));
  });
});
