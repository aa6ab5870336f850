import type { TestResponse } from '@holdfast/testing/services';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { startNotifications, type RunningNotifications } from '../testing/running-notifications.js';

let service: RunningNotifications;

beforeAll(async () => {
  service = await startNotifications({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_ENDPOINTS_MAX: '3' });
}, serverStartTimeoutMs);
afterAll(() => service.stopAll());

const url = 'http://127.0.0.1:9/hooks';
let marketplaces = 0;
const aMarketplace = () => ({ marketplaceId: `mkt_e${String((marketplaces += 1))}` as const });
type By = ReturnType<typeof aMarketplace> & { readonly operationId?: string };

async function create(by: By, body: object = {}): Promise<TestResponse> {
  return service.post('/webhook-endpoints', { url, ...body }, by);
}

async function anEndpoint(by: By): Promise<string> {
  const { data } = await create(by);
  return `/webhook-endpoints/${(data as { id: string }).id}`;
}

async function idsOf(by: By): Promise<readonly string[]> {
  const { data } = await service.get('/webhook-endpoints', by);
  return (data as { data: readonly { id: string }[] }).data.map(({ id }) => id);
}

async function actionsOf(by: By): Promise<readonly string[]> {
  const { data } = await service.get('/audit/logs?resourceType=WebhookEndpoint', by);
  return (data as { data: readonly { action: string }[] }).data.map(({ action }) => action).sort();
}

describe('POST /webhook-endpoints', () => {
  it('201 returns the endpoint with its secret, which no later response has and the database has only encrypted', async () => {
    const by = aMarketplace();
    const { status, data } = await create(by, { types: ['order.*', 'order.*', 'balance.credited'], description: 'shop' });
    expect(status).toBe(201);
    const { secret, ...record } = data as { readonly secret: string; readonly id: string };
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(record).toEqual({
      id: expect.stringMatching(/^whk_/) as string,
      url,
      types: ['order.*', 'balance.credited'],
      description: 'shop',
      ordering: 'aggregate',
      status: 'ENABLED',
      failingSince: null,
      disabledAt: null,
      disabledReason: null,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    expect((await service.get(`/webhook-endpoints/${record.id}`, by)).data).toEqual(record);
    const [row] = await service.database.asAdmin<{ readonly sealed: Buffer }>(
      `select secret_sealed as sealed from notifications.webhook_endpoints where id = $1`,
      [record.id],
    );
    const text = secret.slice('whsec_'.length);
    expect(row?.sealed.includes(text)).toBe(false);
    expect(row?.sealed.includes(Buffer.from(text, 'base64'))).toBe(false);
  });

  it('201 returns the first endpoint to a repeat with the same operation id', async () => {
    const by = { ...aMarketplace(), operationId: 'op-webhook' };
    const [first, second] = [await create(by), await create(by)];
    expect(second.data).toEqual(first.data);
    expect(await idsOf(by)).toHaveLength(1);
  });

  it.each([
    ['no URL', { url: 'hooks' }],
    ['no https', { url: 'http://192.0.2.1/hooks' }],
    ['another protocol', { url: 'ftp://127.0.0.1/' }],
    ['user info', { url: 'http://a:b@127.0.0.1/' }],
    ['a fragment', { url: 'http://127.0.0.1/#a' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['the metadata address', { url: 'https://169.254.169.254/' }],
    ['a name that does not resolve', { url: 'https://nowhere.invalid/' }],
    ['an unknown type', { types: ['order.unknown'] }],
    ['all types by a star', { types: ['*'] }],
    ['too many types', { types: Array<string>(101).fill('order.created') }],
    ['an unknown order', { ordering: 'random' }],
    ['an unknown field', { secret: 'mine' }],
  ])('400 VALIDATION_ERROR for %s, and creates nothing', async (_, body) => {
    const by = aMarketplace();
    const { status, code } = await create(by, body);
    expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(await idsOf(by)).toEqual([]);
  });

  it('422 LIMIT_EXCEEDED for one more than allowed, also at the same time; deleting one makes room', async () => {
    const by = aMarketplace();
    const created = await Promise.all(Array.from({ length: 5 }, () => create(by)));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422]);
    expect((await create(by)).code).toBe('LIMIT_EXCEEDED');
    const [id = ''] = await idsOf(by);
    expect((await service.delete(`/webhook-endpoints/${id}`, by)).data).toMatchObject({ id });
    expect((await create(by)).status).toBe(201);
    expect(await idsOf(by)).not.toContain(id);
  });
});

describe('a webhook endpoint', () => {
  it('200 is changed by its fields; omitted ones stay', async () => {
    const by = aMarketplace();
    const path = await anEndpoint(by);
    const change = { types: ['order.*'], description: 'new', ordering: 'none', url: 'http://127.0.0.1:9/other' };
    expect((await service.patch(path, change, by)).data).toMatchObject(change);
    expect((await service.patch(path, { types: [], description: '' }, by)).data).toMatchObject({
      ...change,
      types: [],
      description: null,
    });
    expect((await service.patch(path, { url: 'https://10.0.0.1/' }, by)).code).toBe('VALIDATION_ERROR');
  });

  it('409 INVALID_STATE for a second rotation during the overlap, unless it ends all older secrets', async () => {
    const by = aMarketplace();
    const path = await anEndpoint(by);
    const first = await service.post(`${path}/rotate-secret`, {}, by);
    expect({ status: first.status, secret: (first.data as { secret: string }).secret }).toEqual({
      status: 200,
      secret: expect.stringMatching(/^whsec_/) as string,
    });
    expect((await service.post(`${path}/rotate-secret`, { overlapSeconds: 60 }, by)).code).toBe('INVALID_STATE');
    expect((await service.post(`${path}/rotate-secret`, { overlapSeconds: 0 }, by)).status).toBe(200);
    expect((await service.post(`${path}/rotate-secret`, { overlapSeconds: 604_801 }, by)).code).toBe('VALIDATION_ERROR');
  });

  it('409 INVALID_STATE when it is disabled or enabled twice', async () => {
    const by = aMarketplace();
    const path = await anEndpoint(by);
    const disabled = await service.post(`${path}/disable`, {}, by);
    expect(disabled.data).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'BY_HAND',
      disabledAt: expect.any(String) as string,
    });
    expect((await service.post(`${path}/disable`, {}, by)).code).toBe('INVALID_STATE');
    expect((await service.post(`${path}/enable`, {}, by)).data).toMatchObject({ status: 'ENABLED', disabledAt: null });
    expect((await service.post(`${path}/enable`, {}, by)).code).toBe('INVALID_STATE');
  });

  it('leaves an audit entry for every change, without secrets', async () => {
    const by = aMarketplace();
    const path = await anEndpoint(by);
    await service.patch(path, { ordering: 'none' }, by);
    await service.post(`${path}/rotate-secret`, {}, by);
    await service.post(`${path}/disable`, {}, by);
    await service.post(`${path}/enable`, {}, by);
    await service.delete(path, by);
    const actions = ['CREATED', 'DELETED', 'DISABLED', 'ENABLED', 'SECRET_ROTATED', 'UPDATED'];
    await eventually(async () => expect(await actionsOf(by)).toEqual(actions.map((action) => `WEBHOOK_ENDPOINT_${action}`)));
    expect(JSON.stringify((await service.get('/audit/logs', by)).data)).not.toContain('whsec_');
  });

  it('404 for every request of another marketplace, for unknown and malformed ids, and after it was deleted', async () => {
    const [by, other] = [aMarketplace(), aMarketplace()];
    const path = await anEndpoint(by);
    const requests = (at: string, caller: By) => [
      service.get(at, caller),
      service.patch(at, { ordering: 'none' }, caller),
      service.delete(at, caller),
      service.post(`${at}/rotate-secret`, {}, caller),
      service.post(`${at}/disable`, {}, caller),
      service.post(`${at}/enable`, {}, caller),
      service.post(`${at}/test`, {}, caller),
      service.post(`${at}/replay`, { since: '2020-01-01' }, caller),
    ];
    const foreign = await Promise.all([...requests(path, other), ...requests('/webhook-endpoints/whk_none', by)]);
    expect(new Set(foreign.map(({ code }) => code))).toEqual(new Set(['WEBHOOK_ENDPOINT_NOT_FOUND']));
    expect((await service.get('/webhook-endpoints/nothing', by)).code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    expect((await service.get(path, by)).data).toMatchObject({ status: 'ENABLED', ordering: 'aggregate' });
    await service.delete(path, by);
    const gone = await Promise.all(requests(path, by));
    expect(new Set(gone.map(({ code }) => code))).toEqual(new Set(['WEBHOOK_ENDPOINT_NOT_FOUND']));
  });
});

describe('GET /webhook-endpoints and /webhook-deliveries', () => {
  it('200 list page by page, newest first', async () => {
    const by = aMarketplace();
    const created = [await anEndpoint(by), await anEndpoint(by), await anEndpoint(by)].map((path) => path.split('/')[2]);
    const { data: first } = await service.get('/webhook-endpoints?limit=2', by);
    const { data, nextCursor } = first as { data: readonly { id: string }[]; nextCursor: string };
    const { data: second } = await service.get(`/webhook-endpoints?limit=2&cursor=${nextCursor}`, by);
    const rest = second as { data: readonly { id: string }[]; nextCursor: string | null };
    expect([...data, ...rest.data].map(({ id }) => id)).toEqual(created.toReversed());
    expect(rest.nextCursor).toBeNull();
  });

  it.each([
    '/webhook-endpoints?cursor=whk_none',
    '/webhook-endpoints?cursor=nothing',
    '/webhook-deliveries?cursor=whd_none',
    '/webhook-deliveries?status=LOST',
    '/webhook-deliveries?endpointId=ord_1',
    '/webhook-deliveries?limit=0',
    '/webhook-deliveries?unknown=1',
  ])('400 VALIDATION_ERROR for %s', async (path) => {
    expect(await service.get(path, aMarketplace())).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('404 WEBHOOK_DELIVERY_NOT_FOUND for unknown and malformed ids', async () => {
    const by = aMarketplace();
    const found = await Promise.all([
      service.get('/webhook-deliveries/whd_none', by),
      service.get('/webhook-deliveries/nothing', by),
      service.post('/webhook-deliveries/whd_none/resend', {}, by),
    ]);
    expect(found.map(({ code }) => code)).toEqual(Array(3).fill('WEBHOOK_DELIVERY_NOT_FOUND'));
  });
});
