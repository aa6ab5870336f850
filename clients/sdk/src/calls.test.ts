import { Holdfast, isHoldfastError } from './index.js';
import { data, json, refusal, startScriptedServer, success, type ScriptedServer } from './testing/scripted-server.js';

let server: ScriptedServer;
let holdfast: Holdfast;

beforeEach(async () => {
  server = await startScriptedServer();
  holdfast = new Holdfast({ apiKey: 'hk_1', baseUrl: server.url, retriesMax: 0 });
});
afterEach(() => server.close());

const sent = () => server.received.map(({ method, url, body }) => [method, url, body]);

async function all<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const records: T[] = [];
  for await (const record of list) records.push(record);
  return records;
}

describe('a call', () => {
  it('puts path parameters first, then the body, and returns the innermost record', async () => {
    server.reply(data({ id: 'usr_1' }, 201), success({ id: 'ord_1', milestone: {} }, 201), success({ id: 'dsp_1' }, 201));
    expect(await holdfast.users.create({ externalUserId: 'a' })).toEqual({ id: 'usr_1' });
    expect(await holdfast.orders.completeMilestone('ord_1', 'first/draft')).toMatchObject({ id: 'ord_1' });
    expect(await holdfast.disputes.open('ord_1', { openedBy: 'BUYER', reason: 'OTHER' })).toEqual({ id: 'dsp_1' });
    expect(sent()).toEqual([
      ['POST', '/api/v1/users', { externalUserId: 'a' }],
      ['POST', '/api/v1/orders/ord_1/milestones/first%2Fdraft/complete', undefined],
      ['POST', '/api/v1/orders/ord_1/resolution/dispute', { openedBy: 'BUYER', reason: 'OTHER', orderId: 'ord_1' }],
    ]);
  });

  it('sends query, key, marketplace and request id', async () => {
    server.reply(data({ available: '1.00' }));
    const options = { marketplaceId: 'mkt_1', requestId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11' };
    await holdfast.balances.get('usr_1', { currency: 'USDC' }, options);
    expect(server.received[0]).toMatchObject({
      url: '/api/v1/users/usr_1/balance?currency=USDC',
      headers: { authorization: 'Bearer hk_1', 'x-marketplace-id': 'mkt_1', 'x-request-id': options.requestId },
    });
  });

  it.each(['', '/', '/api/v1', '/api/v1/'])('accepts a base URL that ends with "%s"', async (end) => {
    server.reply(data({ status: 'healthy' }));
    await new Holdfast({ baseUrl: `${server.url}${end}` }).platform.getHealth();
    expect(server.received[0]).toMatchObject({ url: '/api/v1/health' });
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  it('refuses a path parameter that would call another route, and sends nothing', async () => {
    for (const id of ['', '.', '..', 7]) await expect(holdfast.orders.get(id as never)).rejects.toThrow(TypeError);
    await expect(holdfast.orders.release('ord_1', 'accepted' as never)).rejects.toThrow('input must be an object');
    expect(() => new Holdfast({ baseUrl: 'ftp://platform' })).toThrow('must begin with https://');
    expect(server.received).toEqual([]);
  });
});

describe('a list', () => {
  const page = (ids: readonly string[], nextCursor: string | null) =>
    data({ success: true, data: ids.map((id) => ({ id })), hasMore: nextCursor !== null, nextCursor });

  it('fetches the pages one after the other, with the same filter, again in each loop', async () => {
    const orders = holdfast.orders.list({ status: 'CLOSED', limit: 2 });
    for (let loop = 0; loop < 2; loop += 1) {
      server.reply(page(['ord_1', 'ord_2'], 'next'), page(['ord_3'], null));
      expect((await all(orders)).map(({ id }) => id)).toEqual(['ord_1', 'ord_2', 'ord_3']);
    }
    const path = '/api/v1/orders?limit=2';
    expect(sent().map(([, url]) => url)).toEqual([
      `${path}&status=CLOSED`,
      `${path}&cursor=next&status=CLOSED`,
      `${path}&status=CLOSED`,
      `${path}&cursor=next&status=CLOSED`,
    ]);
  });

  it('fetches no page that is not needed', async () => {
    server.reply(page(['ord_1'], 'next'));
    for await (const { id } of holdfast.orders.list()) if (id === 'ord_1') break;
    expect(server.received).toHaveLength(1);
  });

  it('gives one page and what names the next one', async () => {
    server.reply(page(['ord_1'], 'next'), page(['ord_2'], null));
    const first = await holdfast.orders.list({ limit: 1 }).page();
    const second = await holdfast.orders.list({ limit: 1, ...first.next }).page();
    expect([first, second]).toEqual([
      { records: [{ id: 'ord_1' }], next: { cursor: 'next' } },
      { records: [{ id: 'ord_2' }], next: undefined },
    ]);
    expect(sent().map(([, url]) => url)).toEqual(['/api/v1/orders?limit=1', '/api/v1/orders?limit=1&cursor=next']);
  });

  it('of the account API has pages with numbers, and keeps the moment that they show', async () => {
    const envelope = { code: 200, type: 'success', ok: true, message: '' };
    const of = (id: string, page: number) =>
      json(200, { ...envelope, data: { transactions: [{ id }], pagination: { page, pages: 2 }, as_of: 'then' } });
    server.reply(of('a', 1), of('b', 2));
    expect(await all(holdfast.accounts.listTransactions({ limit: 1 }))).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(sent().map(([, url]) => url)).toEqual([
      '/balances/transactions?limit=1',
      '/balances/transactions?page=2&limit=1&as_of=then',
    ]);
  });
});

describe('an error', () => {
  const thrown = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('has code, status, details and the request id of the response', async () => {
    server.reply(refusal(400, 'INVALID_STATE', { currentStatus: 'CLOSED' }, { 'x-request-id': 'r-1' }));
    const error = await thrown(holdfast.orders.reserve('ord_1'));
    expect(error).toMatchObject({ name: 'HoldfastError', code: 'INVALID_STATE', status: 400, requestId: 'r-1' });
    expect(error).toMatchObject({ details: { currentStatus: 'CLOSED' } });
    expect([isHoldfastError(error), isHoldfastError(error, 'ORDER_NOT_FOUND'), isHoldfastError(new Error('x'))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('of the account API has a code, too', async () => {
    const body = { type: 'error', ok: false, data: null };
    server.reply(
      json(422, { ...body, code: 422, message: 'Invalid', errors: ['title is required'] }),
      json(400, { ...body, code: 400, message: 'Escrow not releasable' }),
    );
    const refused = { email: 'a', password: 'b' };
    expect(await thrown(holdfast.accounts.logIn(refused))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { validationErrors: ['title is required'] },
    });
    expect(await thrown(holdfast.accounts.logIn(refused))).toMatchObject({
      code: 'REQUEST_REFUSED',
      message: 'Escrow not releasable',
    });
  });

  it.each([
    ['a page of another server', 200, '<html>'],
    ['a redirect', 302, ''],
    ['JSON of another form', 200, '{"hello":1}'],
  ])('INVALID_RESPONSE for %s', async (_, status, text) => {
    server.reply((_received, response) => void response.writeHead(status, { location: '/other' }).end(text));
    expect(await thrown(holdfast.platform.getHealth())).toMatchObject({ code: 'INVALID_RESPONSE', status });
  });

  it('CONNECTION_FAILED if the platform is not there, TIMEOUT if it says nothing', async () => {
    server.reply(() => undefined);
    expect(await thrown(holdfast.platform.getHealth({ timeoutMs: 20 }))).toMatchObject({ code: 'TIMEOUT', status: 0 });
    server.close();
    expect(await thrown(holdfast.platform.getHealth())).toMatchObject({ code: 'CONNECTION_FAILED', status: 0 });
  });
});
