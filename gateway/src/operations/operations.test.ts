import { randomUUID } from 'node:crypto';
import { allRoutes } from '@holdfast/contracts/http';
import { aKeyText, aVerified, anIdentity } from '../testing/an-identity.js';
import { aGateway, aService } from '../testing/running-gateway.js';

type Responses = Record<string, unknown>;
type Gateway = Awaited<ReturnType<typeof aGateway>>;

const prefix = '/api/v1';
const missing = 'http://127.0.0.1:9';
const begunAt = (second: number): string => `2026-11-18T12:00:0${second}.000001Z`;
const runIdOf = (last: string): string => `run_01JB2M3N4P5Q6R7S8T9V0W1X2${last}`;
const aRun = (last: string, second: number, facts: object = {}) => ({
  id: runIdOf(last),
  state: 'RETRYING',
  marketplaceId: 'mkt_default',
  saga: 'fund',
  begunAt: begunAt(second),
  ageMs: 5,
  isPastPointOfNoReturn: false,
  attempts: 1,
  nextRetryAt: null,
  retryStoppedReason: null,
  endedAt: null,
  ...facts,
});
const ofOrders = { orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y', orderStatus: 'ESCROW_FUNDING', currentRunId: null };
const ofPayments = { aggregateId: 'wd_01JB2M3N4P5Q6R7S8T9V0W1X2Y' };

/** A service with responses by method and path; 404 for anything else. */
async function aPart(responses: Responses) {
  const part = await aService();
  part.state.behave = (request, response) => {
    const found = responses[`${request.method ?? ''} ${request.url?.split('?')[0]?.replace(prefix, '') ?? ''}`];
    const [status, body] = found === undefined ? [404, { error: { code: 'NOT_FOUND' } }] : [200, { data: found }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const sentTo = (path: string) => part.received.filter(({ method, url }) => method === 'POST' && url === `${prefix}${path}`);
  return { ...part, responses, sentTo };
}

let stop: () => Promise<void>;
let on: Gateway;
let off: Gateway;
let orders: Awaited<ReturnType<typeof aPart>>;
let payments: Awaited<ReturnType<typeof aPart>>;

beforeAll(async () => {
  const identity = await anIdentity();
  identity.known.set(aKeyText('write'), aVerified('write', ['read', 'write', 'support']));
  const parked = {
    messageId: 'evt_1',
    type: 'escrow.funded',
    attempts: 5,
    reason: 'FAILED',
    parkedAt: begunAt(1),
    redrivenAt: null,
  };
  orders = await aPart({
    'GET /internal/saga-runs': { runs: [aRun('A', 1, ofOrders), aRun('C', 3, ofOrders)] },
    [`GET /internal/saga-runs/${runIdOf('A')}`]: aRun('A', 1, ofOrders),
    [`GET /internal/saga-runs/${runIdOf('E')}`]: aRun('E', 1, { ...ofOrders, state: 'SUCCEEDED', endedAt: begunAt(2) }),
    [`POST /internal/saga-runs/${runIdOf('A')}/redrive`]: { id: runIdOf('A'), orderId: ofOrders.orderId, saga: 'fund' },
    'GET /internal/parked-messages/summary': { count: 1, messages: [parked] },
    'POST /internal/parked-messages/redrive': { redriven: 1 },
    'GET /internal/provider-controls': { isStopped: true, providers: [], caps: [] },
  });
  payments = await aPart({ 'GET /internal/saga-runs': { runs: [aRun('B', 2, ofPayments)] } });
  const serviceUrls = { identity: identity.url, orders: orders.url, payments: payments.url, notifications: missing };
  on = await aGateway({ serviceUrls, routes: allRoutes, operatorRoutes: 'on' });
  off = await aGateway({ serviceUrls, routes: allRoutes });
  stop = async () => {
    await Promise.all([on.stop(), off.stop()]);
    await Promise.all([identity.stop(), orders.stop(), payments.stop()]);
  };
});
afterAll(() => stop());

const get = (path: string) => on.send(`${prefix}/operations${path}`);
const post = (gateway: Gateway, path: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.send(`${prefix}/operations${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
const operator = { by: 'Ada', reason: 'ticket 7' };

describe('GET /operations/sagas', () => {
  it('200 has the runs of both services, oldest first, a page at a time', async () => {
    const { status, body } = await get('/sagas?limit=2&state=RETRYING');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      runs: [
        { id: runIdOf('A'), service: 'orders', aggregateId: ofOrders.orderId, aggregateStatus: 'ESCROW_FUNDING' },
        { id: runIdOf('B'), service: 'payments', aggregateId: ofPayments.aggregateId, aggregateStatus: null },
      ],
      unavailable: [],
      hasMore: true,
    });
    await get(`/sagas?cursor=${String(body.data.nextCursor)}`);
    const { url = '' } = orders.received.at(-1) ?? {};
    expect(Object.fromEntries(new URL(url, orders.url).searchParams)).toEqual({
      limitMax: '21',
      afterBegunAt: begunAt(2),
      afterId: runIdOf('B'),
    });
  });

  it.each(['limit=0', 'limit=101', 'state=DONE', 'cursor=x', 'aggregateId=', 'unknown=1'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      const { status, body } = await get(`/sagas?${query}`);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('401 without a credential, 403 with a key of a marketplace', async () => {
    const path = `${prefix}/operations/sagas`;
    expect((await on.send(path, { headers: { authorization: '' } })).status).toBe(401);
    const { status, body } = await on.send(path, { headers: { authorization: `Bearer ${aKeyText('write')}` } });
    expect([status, body.error.details.requiredScope]).toEqual([403, 'master']);
  });
});

describe('GET /operations/sagas/{id}', () => {
  it('200 finds the run at its service, 404 NOT_FOUND if neither has it', async () => {
    expect((await get(`/sagas/${runIdOf('A')}`)).body.data).toMatchObject({ service: 'orders', state: 'RETRYING' });
    for (const id of [runIdOf('Z'), 'nonsense']) expect((await get(`/sagas/${id}`)).status).toBe(404);
  });
});

describe('POST /operations/sagas/{id}/redrive', () => {
  const path = `/sagas/${runIdOf('A')}/redrive`;

  it('200 names the operator to the service, once for an Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [await post(on, path, operator, key), await post(on, path, operator, key)];
    expect([first.status, first.body.data.id, second.text]).toEqual([200, runIdOf('A'), first.text]);
    expect(second.headers.get('idempotency-replay')).toBe('true');
    const sent = orders.sentTo(`/internal/saga-runs/${runIdOf('A')}/redrive`);
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([{ operator }]);
  });

  it('409 INVALID_STATE for a run that has ended', async () => {
    const { status, body } = await post(on, `/sagas/${runIdOf('E')}/redrive`, operator);
    expect([status, body.error.code, body.error.details.currentStatus]).toEqual([409, 'INVALID_STATE', 'SUCCEEDED']);
  });

  it.each([{}, { by: 'Ada' }, { by: ' ', reason: 'x' }, { ...operator, force: true }, { by: 7, reason: 'x' }])(
    '400 VALIDATION_ERROR for %j',
    async (body) => {
      expect((await post(on, path, body)).status).toBe(400);
    },
  );
});

describe('with OPERATOR_ROUTES off', () => {
  it.each([
    [`/sagas/${runIdOf('A')}/redrive`, operator],
    ['/parked-messages/redrive', { service: 'orders', ...operator }],
    ['/emergency-stop', { isStopped: true, ...operator }],
  ])('404 NOT_FOUND for POST %s, with and without a credential', async (path, body) => {
    for (const headers of [{}, { authorization: '' }]) {
      const response = await post(off, path, body, headers);
      expect([response.status, response.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('200 for what operators read', async () => {
    expect((await off.send(`${prefix}/operations/sagas`)).status).toBe(200);
  });
});

describe('parked messages', () => {
  it('200 lists the parked messages of every service without their content, and names the services that do not respond', async () => {
    const { data } = (await get('/parked-messages')).body;
    expect(data.messages).toEqual([
      {
        service: 'orders',
        messageId: 'evt_1',
        type: 'escrow.funded',
        attempts: 5,
        reason: 'FAILED',
        parkedAt: begunAt(1),
        redrivenAt: null,
      },
    ]);
    expect(data.counts).toEqual({ orders: 1 });
    expect(data.unavailable).toEqual(['identity', 'ledger-balance', 'escrow-adapter', 'payments', 'notifications']);
    expect((await get('/parked-messages?service=orders')).body.data.unavailable).toEqual([]);
  });

  it('200 are sent back, at most 200 in one call', async () => {
    const { status, body } = await post(on, '/parked-messages/redrive', { service: 'orders', ...operator });
    expect([status, body.data]).toEqual([200, { service: 'orders', redriven: 1 }]);
    const [sent] = orders.sentTo('/internal/parked-messages/redrive');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ countMax: 200, operator });
  });

  it('400 VALIDATION_ERROR for an unknown service and an empty list, 503 for a service that does not respond', async () => {
    for (const body of [{ service: 'bank' }, { service: 'orders', messageIds: [] }])
      expect((await post(on, '/parked-messages/redrive', { ...body, ...operator })).status).toBe(400);
    expect((await post(on, '/parked-messages/redrive', { service: 'notifications', ...operator })).status).toBe(503);
  });
});

describe('what several services know', () => {
  it('200 has the controls of the providers as each service knows them', async () => {
    const { data } = (await get('/providers')).body;
    expect(data.services).toEqual([{ service: 'orders', isStopped: true, providers: [], caps: [] }]);
    expect(data).toMatchObject({ emergencyStop: null, unavailable: ['identity', 'escrow-adapter', 'payments'] });
  });

  it('200 proves nothing while a part of the proof is missing', async () => {
    const { data } = (await get('/ledger-proof')).body;
    expect(data).toEqual({ isSound: null, ledger: null, reports: [], unavailable: ['ledger-balance', 'payments'] });
  });
});

describe('the controls of the sandbox', () => {
  const faults = (gateway: Gateway) => gateway.send(`${prefix}/sandbox/faults`);

  it('404 NOT_FOUND unless every outside system is known to be simulated', async () => {
    expect((await faults(on)).status).toBe(404);
    const health = { status: 'healthy', latencyMs: 1 };
    const kinds = { escrowProvider: 'sandbox', ledgerNetwork: 'sandbox', paymentProvider: 'sandbox' };
    const statusWith = async (given: Record<string, string>): Promise<number> => {
      const stateOf = (name: string) => ({ kind: given[name], health });
      const adapter = await aPart({
        'GET /internal/providers': { escrowProvider: stateOf('escrowProvider'), ledgerNetwork: stateOf('ledgerNetwork') },
        'GET /sandbox/faults': { faults: [] },
      });
      payments.responses['GET /internal/providers'] = { paymentProvider: stateOf('paymentProvider') };
      const serviceUrls = { 'escrow-adapter': adapter.url, payments: payments.url };
      const gateway = await aGateway({ serviceUrls, routes: allRoutes });
      const { status } = await faults(gateway);
      await gateway.stop();
      await adapter.stop();
      return status;
    };
    expect(await statusWith(kinds)).toBe(200);
    for (const live of Object.keys(kinds)) expect(await statusWith({ ...kinds, [live]: 'live' })).toBe(404);
  });
});
