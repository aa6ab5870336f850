import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aUser } from './faults/order-life.js';
import type { Api } from './testing/api.js';
import { openMarketplace, sharedPlatform } from './testing/shared-platform.js';

let api: Api;

beforeAll(async () => {
  ({ api } = await openMarketplace(await sharedPlatform(), 'Users everywhere'));
}, serverStartTimeoutMs);

describe('after a 201 for a new user', () => {
  it('can use it at once, however many are made', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const id = await aUser(api, 'customer');
        return (await api.post(`/users/${id}/balance/credit`, { amount: '1.00' })).status;
      }),
    );
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  it('sees its balance in the user, alone and in a list', async () => {
    const id = await aUser(api, 'customer');
    await api.post(`/users/${id}/balance/credit`, { amount: '12.50' });
    await api.post(`/users/${id}/balance/reserve`, { amount: '2.50' });
    const balance = { available: '10.00', reserved: '2.50', total: '12.50', currency: 'USD' };
    expect((await api.get(`/users/${id}`)).data).toMatchObject({ balance });
    expect((await api.get('/users?limit=1')).data['data']).toMatchObject([{ id, balance }]);
  });
});

describe('after a user was suspended', () => {
  it('can rely on it at once, and on the reinstatement too', async () => {
    const id = await aUser(api, 'customer');
    await api.post(`/users/${id}/balance/credit`, { amount: '100.00' });
    for (let round = 0; round < 10; round += 1) {
      await api.patch(`/users/${id}`, { status: 'SUSPENDED' });
      const refused = await api.post(`/users/${id}/balance/reserve`, { amount: '1.00' });
      await api.patch(`/users/${id}`, { status: 'ACTIVE' });
      const reserved = await api.post(`/users/${id}/balance/reserve`, { amount: '1.00' });
      expect([refused.code, reserved.status]).toEqual(['USER_NOT_ACTIVE', 200]);
    }
  });
});
