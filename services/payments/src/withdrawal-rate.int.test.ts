import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aPayee, bodyOf, foreignAddress } from './testing/withdrawals.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments({ WITHDRAWALS_PER_MINUTE_MAX: '5' });
});
afterAll(() => payments.stop());

const toLedger = { destination: { type: 'ledger', address: foreignAddress } };

describe('WITHDRAWALS_PER_MINUTE_MAX', () => {
  it.each([
    ['a payment account', async () => bodyOf(await aPayee(payments), { amount: '2.00' })],
    ['an address', () => Promise.resolve(bodyOf(withoutAccount(), { amount: '2.00', ...toLedger }))],
  ])('429 RATE_LIMITED: of 12 parallel requests to %s, 5 pass, over two replicas', async (_, aBody) => {
    const [body, replica] = [await aBody(), await payments.startReplica()];
    const responses = await Promise.all(
      Array.from({ length: 12 }, (__, index) => (index % 2 === 0 ? payments : replica).post('/withdrawals', body)),
    );
    const statuses = responses.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => 201), ...Array.from({ length: 7 }, () => 429)]);
  });

  it('429 RATE_LIMITED with the time after which the next one is allowed', async () => {
    const userId = await aPayee(payments);
    const create = () => payments.post('/withdrawals', bodyOf(userId, { amount: '2.00' }));
    for (let count = 0; count < 5; count += 1) expect((await create()).status).toBe(201);
    await payments.database.asAdmin(
      `update payments.withdrawals set created_at = created_at - interval '50 seconds'
       where id = (select min(id) from payments.withdrawals where user_id = $1)`,
      [userId],
    );
    const { status, code, details } = await create();
    expect([status, code, details['limit']]).toEqual([429, 'RATE_LIMITED', 5]);
    expect(details['retryAfter']).toBeGreaterThan(0);
    expect(details['retryAfter']).toBeLessThanOrEqual(10);
  });
});

function withoutAccount(): string {
  const userId = payments.aUser();
  payments.ledger.setAvailable(userId, '100.00');
  return userId;
}
