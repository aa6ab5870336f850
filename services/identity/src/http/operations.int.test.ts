import { pruneIdempotentRequests } from '@holdfast/service-kit/idempotent-requests';
import { identityMigrations, startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

const aKey = { name: 'once', scopes: ['read'] };
let operations = 0;

function anOperation(): { readonly operationId: string } {
  operations += 1;
  return { operationId: `op_${operations}` };
}

describe('a repeated operation id', () => {
  it('201 creates one key and returns it to all concurrent requests', async () => {
    const operation = anOperation();
    const responses = await Promise.all(Array.from({ length: 20 }, () => identity.post('/auth/api-keys', aKey, operation)));
    expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    const { key, id } = responses[0]?.data as { readonly key: string; readonly id: string };
    expect(await identity.verify(key)).toMatchObject({ id });
    expect(await identity.database.asAdmin("select 1 from identity.api_keys where name = 'once'")).toHaveLength(1);
  });

  it('201 again for the user that it created', async () => {
    const operation = anOperation();
    const first = await identity.post('/users', { externalUserId: 'op' }, operation);
    const again = await identity.post('/users', { externalUserId: 'op' }, operation);
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect((await identity.post('/users', { externalUserId: 'op' })).status).toBe(200);
  });

  it('200 rotates once, and returns the same secret and the same token', async () => {
    const { id } = await identity.aKey();
    for (const what of ['rotate', 'token']) {
      const operation = anOperation();
      const first = await identity.post(`/auth/api-keys/${id}/${what}`, {}, operation);
      identity.moveClock(5_000);
      expect((await identity.post(`/auth/api-keys/${id}/${what}`, {}, operation)).data).toEqual(first.data);
    }
    const rows = await identity.database.asAdmin('select secret_number from identity.api_keys where id = $1', [id]);
    expect(rows).toEqual([{ secret_number: 2 }]);
  });

  it('200 changes a user once, also after other changes', async () => {
    const user = await identity.aUser();
    const operation = anOperation();
    const first = await identity.patch(`/users/${user.id}`, { status: 'SUSPENDED' }, operation);
    await identity.patch(`/users/${user.id}`, { status: 'ACTIVE' });
    const again = await identity.patch(`/users/${user.id}`, { status: 'SUSPENDED' }, operation);
    expect([again.status, again.data]).toEqual([200, first.data]);
    expect((await identity.get(`/users/${user.id}`)).data).toMatchObject({ status: 'ACTIVE' });
  });

  it('409 IDEMPOTENCY_KEY_REUSED for a different request', async () => {
    const operation = anOperation();
    await identity.post('/auth/api-keys', aKey, operation);
    const responses = [
      await identity.post('/auth/api-keys', { ...aKey, scopes: ['write'] }, operation),
      await identity.post('/marketplaces', { name: 'once' }, operation),
    ];
    expect(responses.map(({ status, code }) => [status, code])).toEqual(responses.map(() => [409, 'IDEMPOTENCY_KEY_REUSED']));
  });

  it('201 after a request that was refused', async () => {
    const operation = anOperation();
    const { id } = await identity.aKey();
    const refused = await identity.post('/auth/api-keys', { ...aKey, expiresAt: '2020-01-01T00:00:00Z' }, operation);
    expect(refused.status).toBe(400);
    expect((await identity.post(`/auth/api-keys/${id}/token`, {}, operation)).status).toBe(201);
  });

  it('201 runs as a new operation after 24 hours', async () => {
    const operation = anOperation();
    const first = await identity.post('/auth/api-keys', aKey, operation);
    identity.moveClock(24 * 3_600_000);
    const second = await identity.post('/auth/api-keys', { ...aKey, name: 'later' }, operation);
    expect(second.status).toBe(201);
    expect(second.data.id).not.toBe(first.data.id);
    expect((await identity.post('/auth/api-keys', { ...aKey, name: 'later' }, operation)).data).toEqual(second.data);
  });
});

describe('pruneIdempotentRequests', () => {
  it('deletes expired results', async () => {
    const operation = anOperation();
    await identity.post('/auth/api-keys', aKey, operation);
    const stored = () =>
      identity.database.asAdmin('select 1 from identity.idempotent_requests where id = $1', [operation.operationId]);
    const database = await identity.database.open({ service: 'identity', migrations: identityMigrations });
    const { signal } = new AbortController();
    await pruneIdempotentRequests(database, identity.clock.now(), signal);
    expect(await stored()).toHaveLength(1);
    identity.moveClock(24 * 3_600_000);
    await pruneIdempotentRequests(database, identity.clock.now(), signal);
    expect(await stored()).toHaveLength(0);
  });
});

describe('secrets', () => {
  it('are not in the database in plain text', async () => {
    const { id, key } = (await identity.post('/auth/api-keys', aKey, anOperation())).data as { id: string; key: string };
    const rotated = (await identity.post(`/auth/api-keys/${id}/rotate`, { overlapSeconds: 60 }, anOperation())).data
      .key as string;
    const token = (await identity.post(`/auth/api-keys/${id}/token`, {}, anOperation())).data.token as string;
    const tables = await identity.database.asAdmin<{ readonly name: string }>(
      "select table_schema || '.' || table_name as name from information_schema.tables where table_schema in ('identity', 'broker')",
    );
    expect(tables.length).toBeGreaterThan(4);
    for (const { name } of tables) {
      const rows = await identity.database.asAdmin<{ readonly row: string }>(`select row_to_json(t)::text as row from ${name} t`);
      const text = rows.map(({ row }) => row).join('\n');
      for (const secret of [key, rotated, token]) expect(containsSecret(text, secret)).toBe(false);
    }
    expect(await identity.verify(key)).not.toBeNull();
  });

  it('are not in the log', async () => {
    const { id, key } = await identity.aKey({ name: 'logged' });
    await identity.verify(key);
    await identity.verify(`${key.slice(0, -1)}x`);
    await identity.delete(`/auth/api-keys/${id}`);
    const text = JSON.stringify(identity.log.lines);
    expect(text).toContain(id);
    expect(containsSecret(text, key)).toBe(false);
  });
});

/** Searches for the key text or its secret part, in plain text or hexadecimal. */
function containsSecret(text: string, secret: string): boolean {
  const end = secret.slice(-43);
  return [secret, end, Buffer.from(secret).toString('hex'), Buffer.from(end).toString('hex')].some((form) => text.includes(form));
}
