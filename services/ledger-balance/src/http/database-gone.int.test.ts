import { eventually } from '@holdfast/testing/eventually';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

describe('while the database is unreachable', () => {
  it('503 SERVICE_UNAVAILABLE with Retry-After; 200 without a restart once it is back', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    await ledger.database.setUnavailable(true);
    const responses = [
      await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', reference: 'during' }),
      await ledger.get(`/users/${userId}/balance`),
      await ledger.get(`/users/${userId}/balance/transactions`),
    ];
    for (const response of responses) {
      expect([response.status, response.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    await ledger.database.setUnavailable(false);
    await eventually(async () => {
      expect((await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', reference: 'during' })).status).toBe(200);
    });
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '11.00' });
  });
});
