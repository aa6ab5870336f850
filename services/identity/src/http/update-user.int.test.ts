import { eventually } from '@holdfast/testing/eventually';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

describe('PATCH /users/{id}', () => {
  it('200 suspends and reinstates, and publishes user.changed with the next version', async () => {
    const user = await identity.aUser();
    const suspended = await identity.patch(`/users/${user.id}`, { status: 'SUSPENDED' });
    const reinstated = await identity.patch(`/users/${user.id}`, { status: 'ACTIVE' });
    expect([suspended.status, suspended.data.status, reinstated.data.status]).toEqual([200, 'SUSPENDED', 'ACTIVE']);
    const { updatedAt, ...unchanged } = user;
    expect(reinstated.data).toMatchObject(unchanged);
    expect(reinstated.data.updatedAt > suspended.data.updatedAt).toBe(true);
    expect(suspended.data.updatedAt > updatedAt).toBe(true);
    expect(await identity.messagesOf(user.id, 3)).toMatchObject([
      { type: 'user.created', aggregateVersion: 1 },
      { type: 'user.changed', aggregateVersion: 2, payload: { userId: user.id, status: 'SUSPENDED' } },
      { type: 'user.changed', aggregateVersion: 3, payload: { userId: user.id, status: 'ACTIVE' } },
    ]);
  });

  it('200 publishes nothing when the patch changes nothing', async () => {
    const user = await identity.aUser({ email: 'a@example.com', metadata: { a: 1 } });
    const allNull = { status: null, email: null, metadata: null };
    for (const body of [
      {},
      { status: 'ACTIVE' },
      { email: 'a@example.com' },
      { metadata: {} },
      { metadata: { a: 1, b: null } },
      allNull,
    ])
      expect((await identity.patch(`/users/${user.id}`, body)).data).toEqual(user);
    await identity.patch(`/users/${user.id}`, { email: 'b@example.com' });
    const versions = (await identity.messagesOf(user.id, 2)).map(({ aggregateVersion }) => aggregateVersion);
    expect(versions).toEqual([1, 2]);
  });

  it('200 changes and removes an e-mail address', async () => {
    const user = await identity.aUser({ email: 'a@example.com' });
    expect((await identity.patch(`/users/${user.id}`, { email: 'b@example.com' })).data).toMatchObject({
      email: 'b@example.com',
    });
    for (const email of [null, undefined])
      expect((await identity.patch(`/users/${user.id}`, { email })).data).toMatchObject({ email: 'b@example.com' });
    expect((await identity.patch(`/users/${user.id}`, { email: ' ' })).data).toMatchObject({ email: null });
    const [, changed, removed] = await identity.messagesOf(user.id, 3);
    expect(changed?.payload).toMatchObject({ email: 'b@example.com' });
    expect(removed?.payload).not.toHaveProperty('email');
  });

  it('200 merges metadata by key, and null removes a key', async () => {
    const user = await identity.aUser({ metadata: { keep: 1, change: { a: 1 }, remove: 'x' } });
    const { data } = await identity.patch(`/users/${user.id}`, { metadata: { change: { b: 2 }, remove: null, add: [3] } });
    expect(data.metadata).toEqual({ keep: 1, change: { b: 2 }, add: [3] });
    expect((await identity.get(`/users/${user.id}`)).data).toEqual(data);
  });

  it('400 VALIDATION_ERROR for metadata that is too large after the merge', async () => {
    const user = await identity.aUser({ metadata: { a: 'x'.repeat(9_000) } });
    const response = await identity.patch(`/users/${user.id}`, { metadata: { b: 'x'.repeat(9_000) } });
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await identity.get(`/users/${user.id}`)).data).toEqual(user);
  });

  it.each([{ status: 'GONE' }, { email: 'ada' }, { metadata: [] }, { type: 'BUYER' }, { externalUserId: 'x' }])(
    '400 VALIDATION_ERROR for %j',
    async (body) => {
      const user = await identity.aUser();
      const response = await identity.patch(`/users/${user.id}`, body);
      expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('200 for concurrent changes, with versions without gaps', async () => {
    const user = await identity.aUser();
    const changes = Array.from({ length: 20 }, (_, index) => ({ metadata: { [`k${index}`]: index } }));
    const responses = await Promise.all(changes.map((body) => identity.patch(`/users/${user.id}`, body)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const { data } = await identity.get(`/users/${user.id}`);
    expect(Object.keys(data.metadata as object)).toHaveLength(20);
    const versions = (await identity.messagesOf(user.id, 21)).map(({ aggregateVersion }) => aggregateVersion);
    expect(versions).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  });
});

describe('PATCH /users/{id} with a new status', () => {
  it('200 once ledger-balance has consumed it', async () => {
    const user = await identity.aUser();
    identity.ledger.setKnownVersion(1);
    const pendingResponse = identity.patch(`/users/${user.id}`, { status: 'SUSPENDED' });
    const requested = identity.ledger.versionRequests();
    await identity.messagesOf(user.id, 2);
    await eventually(() => {
      expect(identity.ledger.versionRequests()).toBeGreaterThan(requested + 2);
    });
    identity.ledger.setKnownVersion(2);
    expect((await pendingResponse).data).toMatchObject({ status: 'SUSPENDED' });
    identity.ledger.setKnownVersion(Number.MAX_SAFE_INTEGER);
  });
});
