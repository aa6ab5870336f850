import type { UserView } from '@holdfast/contracts/http';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

const nothing = { available: '0.00', reserved: '0.00', total: '0.00', currency: 'USD' };

describe('POST /users', () => {
  it('201 creates a user and publishes user.created', async () => {
    const metadata = { zeta: 1, alpha: { list: [1, 'two', null] }, 'ü 💶': '"quoted" \\ {braces}' };
    const body = { external_user_id: 'customer "7"', email: 'ada@example.com', type: 'SELLER', metadata };
    const response = await identity.post('/users', body);
    expect(response.status).toBe(201);
    const { id, createdAt } = response.data as UserView;
    expect(response.data).toEqual({
      id: expect.stringMatching(/^usr_[0-9A-Z]{26}$/) as string,
      externalUserId: 'customer "7"',
      email: 'ada@example.com',
      type: 'SELLER',
      status: 'ACTIVE',
      paymentAccountUserId: null,
      paymentAccountLinkedAt: null,
      ledgerAddress: null,
      ledgerLinkedAt: null,
      metadata,
      balance: nothing,
      createdAt,
      updatedAt: createdAt,
    });
    const [published] = await identity.messagesOf(id, 1);
    expect(published).toMatchObject({
      type: 'user.created',
      aggregateType: 'User',
      aggregateVersion: 1,
      marketplaceId: 'mkt_default',
      payload: { userId: id, externalUserId: 'customer "7"', email: 'ada@example.com', type: 'SELLER', status: 'ACTIVE' },
    });
    expect(JSON.stringify((await identity.get(`/users/${id}`)).data)).toBe(JSON.stringify(response.data));
  });

  it('201 with only an external id, and without ledger-balance', async () => {
    identity.ledger.setDown(true);
    const { status, data } = await identity.post('/users', { externalUserId: 'alone' });
    identity.ledger.setDown(false);
    expect(status).toBe(201);
    expect(data).toMatchObject({ email: null, type: 'BOTH', metadata: {}, balance: nothing });
    const [published] = await identity.messagesOf(data.id as string, 1);
    expect(published?.payload).not.toHaveProperty('email');
  });

  it('200 returns an existing user, unchanged and with its balance', async () => {
    const user = await identity.aUser({ externalUserId: 'twice', email: 'first@example.com' });
    identity.ledger.setAvailable(user.id, '12.50');
    const response = await identity.post('/users', { externalUserId: 'twice', email: 'second@example.com', type: 'BUYER' });
    expect(response.status).toBe(200);
    expect(response.data).toEqual({ ...user, balance: { ...nothing, available: '12.50', total: '12.50' } });
    expect(await identity.messagesOf(user.id, 1)).toHaveLength(1);
  });

  it('201 once and 200 forty-nine times for fifty concurrent requests, with one message', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        identity.post('/users', { externalUserId: 'popular', email: `${index}@example.com` }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 49 }, () => 200), 201]);
    expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    const rows = await identity.database.asAdmin("select 1 from identity.users where external_user_id = 'popular'");
    expect(rows).toHaveLength(1);
    const [{ data } = { data: {} }] = responses;
    expect(await identity.messagesOf(data.id as string, 1)).toHaveLength(1);
  });

  it('201 creates another user for the same external id in another marketplace', async () => {
    const marketplaceId = await identity.aMarketplace();
    const [one, other] = [
      await identity.aUser({ externalUserId: 'same' }),
      await identity.aUser({ externalUserId: 'same' }, { marketplaceId }),
    ];
    expect(one.id).not.toBe(other.id);
  });

  it.each([
    ['no external id', {}],
    ['an empty external id', { externalUserId: '' }],
    ['an external id that is too long', { externalUserId: 'x'.repeat(256) }],
    ['an external id with NUL', { externalUserId: 'a\u0000b' }],
    ['an external id with half a character', { externalUserId: 'a\ud800' }],
    ['both spellings', { externalUserId: 'a', external_user_id: 'a' }],
    ['an e-mail that is none', { externalUserId: 'a', email: 'ada' }],
    ['an e-mail that is too long', { externalUserId: 'a', email: `${'x'.repeat(250)}@example.com` }],
    ['an unknown type', { externalUserId: 'a', type: 'BROKER' }],
    ['metadata that is a list', { externalUserId: 'a', metadata: [] }],
    ['metadata that is too deep', { externalUserId: 'a', metadata: { a: { b: { c: { d: { e: {} } } } } } }],
    ['metadata that is too large', { externalUserId: 'a', metadata: { a: 'x'.repeat(16_400) } }],
    ['metadata with NUL', { externalUserId: 'a', metadata: { a: ['\u0000'] } }],
    ['a status', { externalUserId: 'a', status: 'SUSPENDED' }],
    ['an unknown field', { externalUserId: 'a', id: 'usr_mine' }],
  ])('400 VALIDATION_ERROR for %s', async (_, body) => {
    const response = await identity.post('/users', body);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /users/{id}', () => {
  it('200 has the balance of ledger-balance', async () => {
    const user = await identity.aUser();
    identity.ledger.setAvailable(user.id, '0.0000007');
    const { data } = await identity.get(`/users/${user.id}`);
    expect(data).toEqual({ ...user, balance: { ...nothing, available: '0.0000007', total: '0.0000007' } });
  });

  it('503 SERVICE_UNAVAILABLE with Retry-After while ledger-balance is unavailable', async () => {
    const user = await identity.aUser();
    identity.ledger.setDown(true);
    const responses = [
      await identity.get(`/users/${user.id}`),
      await identity.get('/users'),
      await identity.post('/users', { externalUserId: user.externalUserId }),
      await identity.patch(`/users/${user.id}`, { status: 'SUSPENDED' }),
    ];
    identity.ledger.setDown(false);
    for (const response of responses) {
      expect([response.status, response.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await identity.get(`/users/${user.id}`)).data).toEqual(user);
  });

  it.each(['usr_unknown', 'usr_', 'key_1', 'x', 'usr_a%2Fb'])('404 USER_NOT_FOUND for %s', async (id) => {
    const responses = [await identity.get(`/users/${id}`), await identity.patch(`/users/${id}`, { status: 'SUSPENDED' })];
    expect(responses.map(({ status, code }) => [status, code])).toEqual(responses.map(() => [404, 'USER_NOT_FOUND']));
  });

  it("404 USER_NOT_FOUND for another marketplace's user, on every route", async () => {
    const [user, marketplaceId] = [await identity.aUser(), await identity.aMarketplace()];
    const responses = [
      await identity.get(`/users/${user.id}`, { marketplaceId }),
      await identity.patch(`/users/${user.id}`, { status: 'SUSPENDED' }, { marketplaceId }),
      await identity.get(`/internal/users/${user.id}`, { type: 'system', id: 'orders', marketplaceId }),
    ];
    expect(responses.map(({ status, code }) => [status, code])).toEqual(responses.map(() => [404, 'USER_NOT_FOUND']));
    expect((await identity.get('/users', { marketplaceId })).data.data).toEqual([]);
    expect((await identity.get(`/users/${user.id}`)).data).toEqual(user);
  });
});

describe('GET /users', () => {
  const list = async (query: string, by: object = {}): Promise<readonly UserView[]> =>
    (await identity.get(`/users?${query}`, by)).data.data as readonly UserView[];

  it('200 lists newest first, page by page, each with its balance', async () => {
    const marketplaceId = await identity.aMarketplace();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await identity.aUser({}, { marketplaceId })).id);
    identity.ledger.setAvailable(made[3] ?? '', '3.00');
    const seen: UserView[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { data: UserView[]; nextCursor: string | null } = (
        await identity.get(`/users?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`, { marketplaceId })
      ).data;
      seen.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(seen.map(({ id }) => id)).toEqual(made.reverse());
    expect(seen.map(({ balance }) => balance.available)).toEqual(['0.00', '0.00', '0.00', '3.00', '0.00', '0.00', '0.00']);
  });

  it('200 combines filters with and', async () => {
    const marketplaceId = await identity.aMarketplace();
    const by = { marketplaceId };
    const one = await identity.aUser({ externalUserId: 'one', email: 'a@example.com', type: 'BUYER' }, by);
    const two = await identity.aUser({ externalUserId: 'two', email: 'a@example.com', type: 'SELLER' }, by);
    await identity.patch(`/users/${two.id}`, { status: 'SUSPENDED' }, by);
    const ids = async (query: string) => (await list(query, by)).map(({ id }) => id);
    expect(await ids('externalUserId=one')).toEqual([one.id]);
    expect(await ids('external_user_id=two')).toEqual([two.id]);
    expect(await ids('email=a%40example.com')).toEqual([two.id, one.id]);
    expect(await ids('email=A%40example.com')).toEqual([]);
    expect(await ids('type=BUYER')).toEqual([one.id]);
    expect(await ids('status=SUSPENDED')).toEqual([two.id]);
    expect(await ids('status=SUSPENDED&type=BUYER')).toEqual([]);
    expect(await ids(`created_after=${one.createdAt}`)).toEqual([two.id]);
    expect(await ids(`createdBefore=${two.createdAt}`)).toEqual([one.id]);
    expect(await ids(`cursor=${two.id}&email=a%40example.com`)).toEqual([one.id]);
  });

  it.each([
    'limit=0',
    'limit=101',
    'cursor=usr_unknown',
    'type=BROKER',
    'status=GONE',
    'externalUserId=',
    'metadata=x',
    'email=a%00b',
  ])('400 VALIDATION_ERROR for %s', async (query) => {
    const response = await identity.get(`/users?${query}`);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it("400 VALIDATION_ERROR for a cursor of another marketplace's list", async () => {
    const [user, marketplaceId] = [await identity.aUser(), await identity.aMarketplace()];
    const response = await identity.get(`/users?cursor=${user.id}`, { marketplaceId });
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /internal/users/{id}', () => {
  it('200 with the fields that other services store', async () => {
    const user = await identity.aUser({ type: 'BUYER' });
    const { data } = await identity.get(`/internal/users/${user.id}`, { type: 'system', id: 'orders', scopes: [] });
    const stored = { id: user.id, marketplaceId: 'mkt_default', type: 'BUYER', status: 'ACTIVE', email: null, version: 1 };
    expect(data).toEqual(stored);
  });
});
