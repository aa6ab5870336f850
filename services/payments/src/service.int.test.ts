import { startPayments, type RunningPayments } from './testing/running-payments.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments();
});

afterAll(() => payments.stop());

it('starts with its own schema', async () => {
  const userId = payments.aUser();
  expect((await payments.get(`/internal/noted-users/${userId}`, { type: 'system' })).data).toEqual({ version: 0 });
});
