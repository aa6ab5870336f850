import { z } from 'zod';
import { noBody, noParams, noQuery, rawBody, type RawBody } from '@holdfast/contracts/shapes';
import { browserResponse, route, type BrowserResponse } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { eventually } from '@holdfast/testing/eventually';
import { handle, type BoundRoute } from './index.js';
import { aServer } from './testing/test-server.js';

const common = { service: 'payments', auth: 'public', idempotent: false, family: 'plain', params: noParams, malformedParams: 'NOT_FOUND', errors: [] } as const; // prettier-ignore

const webhook = route({
  ...common, name: 'webhook', method: 'post', path: '/webhook', summary: 'Take it', query: noQuery, body: rawBody,
  success: { status: 200, form: 'bare', data: z.object({ status: z.string() }) },
}); // prettier-ignore

const page = route({
  ...common, name: 'page', method: 'get', path: '/page', summary: 'Look', query: noQuery, body: noBody,
  success: { status: 200, form: 'page', data: browserResponse },
}); // prettier-ignore

const search = route({
  ...common, name: 'search', method: 'get', path: '/search', summary: 'Search', body: noBody,
  query: z.strictObject({ types: z.array(z.enum(['a', 'b'])).optional(), since: z.string().optional() }),
  success: { status: 200, data: z.unknown() },
}); // prettier-ignore

const stream = route({
  ...common, name: 'stream', method: 'get', path: '/stream', summary: 'Follow', body: noBody, query: noQuery,
  success: { status: 200, form: 'event-stream', data: z.unknown() },
}); // prettier-ignore

const report = route({
  ...common, name: 'report', method: 'get', path: '/report', summary: 'Read', body: noBody, query: z.strictObject({ fails: z.enum(['first', 'later', 'never']) }),
  success: { status: 200, data: z.string(), download: { contentType: 'text/csv', example: 'a,b' } },
}); // prettier-ignore

const confirm = route({
  ...common, name: 'confirm', method: 'post', path: '/confirm', summary: 'Confirm', body: noBody, query: z.strictObject({ by: z.string() }),
  success: { status: 200, acceptedStatus: 202, data: z.string() },
}); // prettier-ignore

let server: Awaited<ReturnType<typeof aServer>>;
const taken: RawBody[] = [];
let shown: BrowserResponse;
const reports = { made: 0, ended: 0 };

/** Endless, unless it fails. */
async function* chunksOf(fails: string): AsyncGenerator<string> {
  try {
    if (fails === 'first') throw new AppError('RATE_LIMITED');
    for (;;) {
      yield 'a,b\r\n'.repeat(1_000);
      reports.made += 1;
      if (fails === 'later') throw new Error('the source broke');
      await Promise.resolve();
    }
  } finally {
    reports.ended += 1;
  }
}

const routes: readonly BoundRoute[] = [
  handle(webhook, ({ body }) => {
    taken.push(body);
    return Promise.resolve({ status: 'ok' });
  }),
  handle(page, () => Promise.resolve(shown)),
  handle(search, ({ query }) => Promise.resolve(query)),
  handle(report, ({ query, isDownload }) =>
    Promise.resolve(isDownload ? { fileName: 'report.csv', chunks: chunksOf(query.fails) } : 'as JSON'),
  ),
  handle(confirm, ({ query }) => Promise.resolve({ isPending: query.by === 'one', data: query.by })),
  handle(stream, ({ headers }) => {
    const last = headers['last-event-id'];
    if (last === 'refused') return Promise.reject(new AppError('RATE_LIMITED'));
    return Promise.resolve((response) => void response.write(`data: after ${String(last)}\n\n`));
  }),
];
beforeAll(async () => void (server = await aServer({ routes })));
afterAll(() => server.stop());

describe('a route with an acceptedStatus', () => {
  it.each([
    ['one', 202],
    ['two', 200],
  ])('called by %s responds with %s', async (by, expected) => {
    const { status, text } = await server.send(`/api/v1/confirm?by=${by}`, { method: 'POST' });
    expect({ status, data: JSON.parse(text).data }).toEqual({ status: expected, data: by });
  });
});

describe('a route that takes raw bytes', () => {
  it.each(['{"a": 1}\n', '{"a":', 'not JSON', '\ufeff{}'])('gets %j unchanged, and the headers', async (sent) => {
    const { status, text } = await server.send('/api/v1/webhook', {
      method: 'POST',
      body: sent,
      headers: { 'content-type': 'text/plain', 'X-Escrow-Signature': 'abc' },
    });
    expect({ status, text }).toEqual({ status: 200, text: '{"status":"ok"}' });
    const last = taken.at(-1);
    expect(Buffer.from(last?.bytes ?? []).toString()).toBe(sent);
    expect(last?.headers['x-escrow-signature']).toBe('abc');
  });
});

describe('a route for browsers', () => {
  const look = () => fetch(`${server.api}/page`, { redirect: 'manual', headers: { 'x-holdfast-caller': 'signed' } });

  it('200 with a page', async () => {
    shown = { redirectTo: null, html: '<p>done</p>' };
    const response = await look();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';style-src 'sha256-[^']+';/);
    expect(await response.text()).toBe('<p>done</p>');
  });

  it('302 redirects', async () => {
    shown = { redirectTo: 'https://shop.example/paid?order=ü', html: '<p>done</p>' };
    const response = await look();
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://shop.example/paid?order=%C3%BC');
  });

  it.each(['javascript:alert(1)', '/elsewhere', 'https://a.example\r\nSet-Cookie: a=b'])(
    'never redirects to %j',
    async (redirectTo) => {
      shown = { redirectTo, html: '' };
      const response = await look();
      expect(response.headers.get('location') ?? '').not.toContain('javascript');
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(response.status === 302 ? response.headers.get('location') : '').toMatch(/^(https:\/\/.*)?$/);
    },
  );
});

describe('a parameter that is declared as a list', () => {
  it.each([
    ['', {}],
    ['?types=a', { types: ['a'] }],
    ['?types=a&types=b', { types: ['a', 'b'] }],
  ])('accepts %j', async (query, given) => {
    expect((await server.send(`/api/v1/search${query}`)).body.data).toEqual(given);
  });

  it.each(['?types=c', '?types=a&types=*', '?types=a,b', '?since=1&since=2', '?types='])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      const { status, body } = await server.send(`/api/v1/search${query}`);
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );
});

describe('a route that streams', () => {
  const follow = (lastEventId: string) =>
    fetch(`${server.api}/stream`, { headers: { 'x-holdfast-caller': 'signed', 'last-event-id': lastEventId } });

  it('200 sends the headers at once, then the events', async () => {
    const response = await follow('7');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from((value as Uint8Array | undefined) ?? []).toString()).toBe('data: after 7\n\n');
    await reader?.cancel();
  });

  it('200 for HEAD with the headers of the stream, and ends', async () => {
    const headers = { 'x-holdfast-caller': 'signed' };
    const response = await fetch(`${server.api}/stream`, { method: 'HEAD', headers });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('429 RATE_LIMITED is an ordinary error response', async () => {
    const response = await follow('refused');
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status: 429,
      type: 'application/json; charset=utf-8',
    });
  });
});

describe('a route with a download', () => {
  const read = (fails: string, init: RequestInit = {}, accept = 'text/csv') =>
    fetch(`${server.api}/report?fails=${fails}`, { ...init, headers: { 'x-holdfast-caller': 'signed', accept } });

  it('200 makes no more than the client reads, and ends the source when it disconnects', async () => {
    const before = { ...reports };
    const response = await read('never');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="report.csv"');
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toMatch(/^a,b\r\n/);
    let made = -1;
    await eventually(() => {
      const isSettled = made === reports.made;
      made = reports.made;
      expect(isSettled).toBe(true);
    });
    await reader?.cancel();
    await eventually(() => expect(reports.ended).toBe(before.ended + 1));
  });

  it('429 RATE_LIMITED before the first chunk is an ordinary error response', async () => {
    const response = await read('first');
    expect([response.status, response.headers.get('content-disposition')]).toEqual([429, null]);
    expect(await response.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  });

  it('breaks the connection when the source breaks later', async () => {
    const response = await read('later');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('200 for HEAD makes nothing', async () => {
    const before = { ...reports };
    const response = await read('never', { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(reports).toEqual(before);
  });

  it.each(['*/*', 'image/png'])('200 is JSON for Accept: %s', async (accept) => {
    expect(await (await read('never', {}, accept)).json()).toMatchObject({ data: 'as JSON' });
  });
});
