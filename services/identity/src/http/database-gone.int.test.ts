import { eventually } from '@holdfast/testing/eventually';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
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
