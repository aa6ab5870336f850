import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
}, serverStartTimeoutMs);

afterAll(() => ledger.checkAndStop());

const period = 'from=2026-01-01&to=2026-12-31T23:59:59Z';

describe('GET /users/{userId}/statements', () => {
  it('200', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '30.00' });
    const { status, data } = await ledger.get(`/users/${userId}/statements?${period}`);
    expect({ status, closing: data.closing }).toEqual({ status: 200, closing: { available: '70.00', reserved: '30.00' } });
  });
});
