import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { ledgerPayoutMax } from './testing/service-stubs.js';
import { aPayee, bodyOf, foreignAddress } from './testing/withdrawals.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments({
    WITHDRAWAL_AMOUNT_MAX: '10000.00',
    PAYOUTS_PER_HOUR_MAX: '100.00',
    WITHDRAWALS_PER_MINUTE_MAX: '5',
  });
});
afterAll(() => payments.stop());

const create = async (given: Readonly<Record<string, unknown>>) =>
  payments.post('/withdrawals', bodyOf(await aPayee(payments, '20000.00'), given));

const ledger = { destination: { type: 'ledger', address: foreignAddress } };

describe('POST /withdrawals above the cap of an hour', () => {
  it('422 LIMIT_EXCEEDED through the payment provider, and nothing is reserved', async () => {
    const userId = await aPayee(payments, '20000.00');
    const response = await payments.post('/withdrawals', bodyOf(userId, { amount: '100.01' }));
    expect(response).toMatchObject({ status: 422, code: 'LIMIT_EXCEEDED', details: { amount: '100.01', max: '100.00' } });
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '20000.00', reserved: '0.00' });
    expect((await create({ amount: '100.00' })).status).toBe(201);
  });

  it("422 LIMIT_EXCEEDED to the ledger network above the treasury's cap, which escrow-adapter knows", async () => {
    const refused = await create({ ...ledger, amount: '6000.01' });
    expect(refused).toMatchObject({ status: 422, code: 'LIMIT_EXCEEDED', details: { max: ledgerPayoutMax, currency: 'USD' } });
    expect((await create({ ...ledger, amount: '6000.00' })).status).toBe(201);
  });
});

describe('WITHDRAWALS_PER_MINUTE_MAX', () => {
  it.each([
    ['a payment account', async () => bodyOf(await aPayee(payments), { amount: '2.00' })],
    ['an address', () => Promise.resolve(bodyOf(withoutAccount(), { amount: '2.00', ...ledger }))],
  ])('429 RATE_LIMITED: of 12 parallel requests to %s, 5 pass, over two replicas', async (_, aBody) => {
    const [body, replica] = [await aBody(), await payments.startReplica()];
    const responses = await Promise.all(
      Array.from({ length: 12 }, (__, index) => (index % 2 === 0 ? payments : replica).post('/withdrawals', body)),
    );
    const statuses = responses.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => 201), ...Array.from({ length: 7 }, () => 429)]);
  });
});

function withoutAccount(): string {
  const userId = payments.aUser();
  payments.ledger.setAvailable(userId, '100.00');
  return userId;
}
