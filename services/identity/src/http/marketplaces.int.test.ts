import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

const noDeadlines = { disputeResponsePeriod: null, disputeDecisionPeriod: null, onNoResponse: 'none' };
const gatewayCaller = { type: 'system', id: 'gateway', scopes: [] } as const;

describe('POST /marketplaces', () => {
  it('201 creates a marketplace', async () => {
    const response = await identity.post('/marketplaces', { name: 'Crafts "and" Co 💶' });
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      id: expect.stringMatching(/^mkt_[0-9A-Z]{26}$/) as string,
      name: 'Crafts "and" Co 💶',
      ...noDeadlines,
      createdAt: expect.stringMatching(/\.\d{6}Z$/) as string,
    });
  });

  it('403 INSUFFICIENT_SCOPE for every caller but the master key, with any scopes', async () => {
    for (const type of ['api_key', 'token'] as const) {
      const response = await identity.post('/marketplaces', { name: 'Mine' }, { type, id: 'key_1' });
      expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name that is too long', { name: 'x'.repeat(201) }],
    ['a name with NUL', { name: 'a\u0000b' }],
    ['a number', { name: 7 }],
    ['an unknown field', { name: 'x', id: 'mkt_mine' }],
  ])('400 VALIDATION_ERROR for %s', async (_, body) => {
    const response = await identity.post('/marketplaces', body);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('201 returns the first result for the same operation id', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => identity.post('/marketplaces', { name: 'Once' }, { operationId: 'op_mkt' })),
    );
    expect(new Set(responses.map(({ data }) => data.id as string)).size).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  });
});

describe('GET /marketplaces', () => {
  it('200 lists newest first, page by page, down to the default one', async () => {
    const made = [await identity.aMarketplace(), await identity.aMarketplace(), await identity.aMarketplace()];
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { data: { id: string }[]; hasMore: boolean; nextCursor: string | null } = (
        await identity.get(`/marketplaces?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ).data;
      expect(page.hasMore).toBe(page.nextCursor !== null);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen.slice(0, 3)).toEqual(made.reverse());
    expect(seen.at(-1)).toBe('mkt_default');
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('403 INSUFFICIENT_SCOPE for every caller but the master key', async () => {
    const response = await identity.get('/marketplaces', { type: 'api_key', id: 'key_1' });
    expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it.each([
    'limit=0',
    'limit=101',
    'cursor=mkt_unknown',
    'created_after=yesterday',
    'created_before=0000-01-01T00:00:00Z',
    'name=x',
  ])('400 VALIDATION_ERROR for %s', async (query) => {
    const response = await identity.get(`/marketplaces?${query}`);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('200 filters by time', async () => {
    const future = encodeURIComponent('2100-01-01T00:00:00+02:00');
    expect((await identity.get(`/marketplaces?created_after=${future}`)).data.data).toEqual([]);
    expect((await identity.get(`/marketplaces?createdBefore=${future}`)).data.data).not.toEqual([]);
  });
});

describe('PATCH /marketplaces/{id}', () => {
  it('200 changes the given fields only, null clears a period, and the list shows them', async () => {
    const id = await identity.aMarketplace();
    const first = await identity.patch(`/marketplaces/${id}`, { disputeResponsePeriod: 'P3D', onNoResponse: 'opener' });
    expect([first.status, first.data]).toMatchObject([
      200,
      { id, name: 'Another one', disputeResponsePeriod: 'P3D', disputeDecisionPeriod: null, onNoResponse: 'opener' },
    ]);
    const second = await identity.patch(`/marketplaces/${id}`, { disputeResponsePeriod: null, disputeDecisionPeriod: 'PT36H' });
    expect(second.data).toEqual({ ...first.data, disputeResponsePeriod: null, disputeDecisionPeriod: 'PT36H' });
    const { data: page } = await identity.get('/marketplaces?limit=1');
    expect(page.data).toEqual([second.data]);
  });

  it('publishes marketplace.changed with the next version in the commit of the change, and audits what changed', async () => {
    const id = await identity.aMarketplace();
    await identity.patch(`/marketplaces/${id}`, { disputeDecisionPeriod: 'P7D' });
    await identity.patch(`/marketplaces/${id}`, { disputeDecisionPeriod: 'P7D' });
    await identity.patch(`/marketplaces/${id}`, { name: 'Renamed', onNoResponse: 'opener' });
    const settings = { marketplaceId: id, disputeResponsePeriod: null, disputeDecisionPeriod: 'P7D' };
    expect(await identity.messagesOf(id, 2)).toMatchObject([
      { type: 'marketplace.changed', aggregateVersion: 2, marketplaceId: id, payload: { ...settings, onNoResponse: 'none' } },
      { type: 'marketplace.changed', aggregateVersion: 3, marketplaceId: id, payload: { ...settings, onNoResponse: 'opener' } },
    ]);
    const [, ...audits] = await identity.auditsOf(id, 3);
    expect(audits.map(({ payload }) => payload)).toMatchObject([
      { action: 'MARKETPLACE_UPDATED', before: { disputeDecisionPeriod: null }, after: { disputeDecisionPeriod: 'P7D' } },
      { before: { name: 'Another one', onNoResponse: 'none' }, after: { name: 'Renamed', onNoResponse: 'opener' } },
    ]);
  });

  it('200 returns the first result for the same operation id', async () => {
    const id = await identity.aMarketplace();
    const body = { onNoResponse: 'opener' };
    const patch = () => identity.patch(`/marketplaces/${id}`, body, { operationId: 'op_patch' });
    const responses = await Promise.all([patch(), patch(), patch()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await identity.messagesOf(id, 1)).toHaveLength(1);
  });

  it('404 MARKETPLACE_NOT_FOUND for an unknown one', async () => {
    for (const id of ['mkt_unknown', 'usr_1', 'x']) {
      const response = await identity.patch(`/marketplaces/${id}`, { onNoResponse: 'none' });
      expect([response.status, response.code]).toEqual([404, 'MARKETPLACE_NOT_FOUND']);
    }
  });

  it.each([
    ['a period below an hour', { disputeResponsePeriod: 'PT59M59S' }],
    ['a period above 90 days', { disputeDecisionPeriod: 'P91D' }],
    ['months', { disputeDecisionPeriod: 'P1M' }],
    ['a number', { disputeDecisionPeriod: 7 }],
    ['an unknown rule', { onNoResponse: 'seller' }],
    ['an unknown field', { id: 'mkt_mine' }],
  ])('400 VALIDATION_ERROR for %s, and nothing changes', async (_, body) => {
    const response = await identity.patch('/marketplaces/mkt_default', body);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    const stored = await identity.get('/internal/marketplaces/mkt_default', gatewayCaller);
    expect(stored.data).toMatchObject(noDeadlines);
  });

  it('403 INSUFFICIENT_SCOPE for every caller but the master key', async () => {
    const response = await identity.patch('/marketplaces/mkt_default', { name: 'Mine' }, { type: 'api_key', id: 'key_1' });
    expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});

describe('GET /internal/marketplaces/{id}', () => {
  it('200 for an existing marketplace, 404 MARKETPLACE_NOT_FOUND for an unknown one', async () => {
    expect((await identity.get('/internal/marketplaces/mkt_default', gatewayCaller)).data).toMatchObject({ id: 'mkt_default' });
    for (const id of ['mkt_unknown', 'usr_1', 'x']) {
      const response = await identity.get(`/internal/marketplaces/${id}`, gatewayCaller);
      expect([response.status, response.code]).toEqual([404, 'MARKETPLACE_NOT_FOUND']);
    }
  });

  it('403 INSUFFICIENT_SCOPE for callers outside the platform, on every internal route', async () => {
    const responses = [
      await identity.get('/internal/marketplaces/mkt_default'),
      await identity.get('/internal/users/usr_1'),
      await identity.post('/internal/credentials/verify', { credential: 'x' }),
    ];
    expect(responses.map(({ status, code }) => [status, code])).toEqual(responses.map(() => [403, 'INSUFFICIENT_SCOPE']));
  });
});
