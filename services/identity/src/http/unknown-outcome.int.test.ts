import type { NewApiKeyView, UserView } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { startCommitProxy, type CommitFault, type CommitProxy } from '@holdfast/testing/postgres';
import { startIdentity, type Person, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;
let proxy: CommitProxy;

beforeAll(async () => {
  identity = await startIdentity({
    via: async (adminUrl) => (proxy = await startCommitProxy(adminUrl)).url,
    env: { REFUSALS_PUBLISH_EVERY_MS: '3600000' },
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

const faults: readonly CommitFault[] = ['lose-request', 'lose-response', 'garble-response'];

describe.each(faults)('after %s of the COMMIT, without an Idempotency-Key', (fault) => {
  it('201 creates a user once, as new', async () => {
    const externalUserId = `unknown ${fault}`;
    const { status, data } = await withCommitFault(fault, () => identity.post('/users', { externalUserId }));
    const { id } = data as UserView;
    expect(status).toBe(201);
    expect(
      await identity.database.asAdmin('select id from identity.users where external_user_id = $1', [externalUserId]),
    ).toEqual([{ id }]);
    expect(await identity.auditsOf(id, 1)).toHaveLength(1);
  });

  it('200 registers a person once, who can log in', async () => {
    const [email, password] = [`${fault}@example.com`, 'correct horse'];
    const register = () => identity.people.post('/auth/register', { email, password, name: 'Ada' });
    const { status, data } = await withCommitFault(fault, register);
    const { id, token } = data as Person;
    expect(status).toBe(200);
    expect(await identity.database.asAdmin('select id from identity.users where email = $1', [email])).toEqual([{ id }]);
    expect(await identity.verify(token)).toMatchObject({ id });
    expect(await identity.messagesOf(id, 1)).toHaveLength(1);
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
