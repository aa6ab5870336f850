import type { NewApiKeyView, UserView } from '@holdfast/contracts/http';
import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startCommitProxy, type CommitFault, type CommitProxy } from '@holdfast/testing/postgres';
import { startIdentity, type Person, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;
let proxy: CommitProxy;

beforeAll(async () => {
  identity = await startIdentity({
    via: async (adminUrl) => (proxy = await startCommitProxy(adminUrl)).url,
    // No other COMMIT meets the fault.
    env: { REFUSALS_PUBLISH_EVERY_MS: '3600000', KEY_USES_FLUSH_EVERY_MS: '3600000' },
  });
});

afterAll(async () => {
  await identity.stop();
  await proxy.close();
});

/** The response to a request whose first COMMIT has the fault. */
async function withCommitFault<T>(fault: CommitFault, request: () => Promise<T>): Promise<T> {
  const before = proxy.faultCount();
  proxy.setFault(fault);
  const response = request();
  await eventually(() => expect(proxy.faultCount()).toBeGreaterThan(before));
  proxy.setFault('none');
  return response;
}

/** The messages of this type about a user that are published or wait for the sweeper, because the outcome of the COMMIT was unknown. */
async function messagesAbout(userId: string, type: string): Promise<readonly string[]> {
  const published = [...(await identity.messagesOf(userId, 0)), ...(await identity.auditsOf(userId, 0))];
  const rows = await identity.database.asAdmin<{ readonly messages: string }>('select messages from identity.outbox');
  const stored = rows.flatMap(({ messages }) => JSON.parse(messages) as readonly Envelope[]);
  const waiting = stored.filter((message) => JSON.stringify(message).includes(userId));
  const ofType = [...published, ...waiting].filter((message) => message.type === type);
  return [...new Set(ofType.map(({ id }) => id))];
}

/** With the first fault Postgres has not committed, with the second one it has. */
const faults: readonly CommitFault[] = ['lose-request', 'garble-response'];

describe.each(faults)('after %s of the COMMIT, without an Idempotency-Key', (fault) => {
  it('201 creates a user once, as new', async () => {
    const externalUserId = `unknown ${fault}`;
    const { status, data } = await withCommitFault(fault, () => identity.post('/users', { externalUserId }));
    const { id } = data as UserView;
    expect(status).toBe(201);
    expect(
      await identity.database.asAdmin('select id from identity.users where external_user_id = $1', [externalUserId]),
    ).toEqual([{ id }]);
    await eventually(async () => expect(await messagesAbout(id, 'audit.recorded')).toHaveLength(1));
  });

  it('200 registers a person once, who can log in', async () => {
    const [email, password] = [`${fault}@example.com`, 'correct horse'];
    const register = () => identity.people.post('/auth/register', { email, password, name: 'Ada' });
    const { status, data } = await withCommitFault(fault, register);
    const { id, token } = data as Person;
    expect(status).toBe(200);
    expect(await identity.database.asAdmin('select id from identity.users where email = $1', [email])).toEqual([{ id }]);
    expect(await identity.verify(token)).toMatchObject({ id });
    await eventually(async () => expect(await messagesAbout(id, 'user.created')).toHaveLength(1));
    expect((await register()).status).toBe(422);
    expect((await identity.people.post('/auth/login', { email, password })).status).toBe(200);
  });

  it('201 creates a key once, and its text is valid', async () => {
    const body = { name: `unknown ${fault}`, scopes: ['read'] };
    const { status, data } = await withCommitFault(fault, () => identity.post('/auth/api-keys', body));
    const { id, key } = data as NewApiKeyView;
    expect(status).toBe(201);
    expect(await identity.database.asAdmin('select id from identity.api_keys where name = $1', [body.name])).toEqual([{ id }]);
    expect(await identity.verify(key)).toMatchObject({ id });
  });

  it('200 rotates a key once, and the text of the response is valid', async () => {
    const { id } = await identity.aKey();
    const { data } = await withCommitFault(fault, () => identity.post(`/auth/api-keys/${id}/rotate`, {}));
    expect(await identity.verify((data as NewApiKeyView).key)).toMatchObject({ id });
    const rows = await identity.database.asAdmin('select secret_number from identity.api_keys where id = $1', [id]);
    expect(rows).toEqual([{ secret_number: 2 }]);
  });
});

describe('while the database is unavailable', () => {
  it('503 SERVICE_UNAVAILABLE with Retry-After, and recovers without a restart', async () => {
    const [user, { id, key }, person] = [await identity.aUser(), await identity.aKey(), await identity.aPerson()];
    const { email, password } = person;
    await identity.database.setUnavailable(true);
    const responses = [
      await identity.post('/users', { externalUserId: 'during' }),
      await identity.get(`/users/${user.id}`),
      await identity.get('/users'),
      await identity.get('/auth/api-keys'),
      await identity.post(`/auth/api-keys/${id}/rotate`, {}),
      await identity.post('/internal/credentials/verify', { credential: key }, { type: 'system', id: 'gateway' }),
      await identity.get('/internal/marketplaces/mkt_default', { type: 'system', id: 'gateway' }),
    ];
    const ofPeople = [
      await identity.people.post('/auth/register', { email: 'during@example.com', password, name: 'Ada' }),
      await identity.people.post('/auth/login', { email, password }),
    ];
    expect(ofPeople.map(({ body }) => body)).toMatchObject([{ code: 503 }, { code: 503 }]);
    for (const { code } of responses) expect(code).toBe('SERVICE_UNAVAILABLE');
    for (const response of [...responses, ...ofPeople]) {
      expect(response.status).toBe(503);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    await identity.database.setUnavailable(false);
    await eventually(async () => {
      expect((await identity.post('/users', { externalUserId: 'during' })).status).toBe(201);
    });
    expect(await identity.verify(key)).toMatchObject({ id });
    expect((await identity.people.post('/auth/login', { email, password })).status).toBe(200);
  });
});
