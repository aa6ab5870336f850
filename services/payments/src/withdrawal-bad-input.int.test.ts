import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aPayee, aWithdrawal, bodyOf, contractAddress, foreignAddress } from './testing/withdrawals.js';

let payments: RunningPayments;
let userId: string;

beforeAll(async () => {
  payments = await startPayments({ WITHDRAWALS_PER_MINUTE_MAX: '2' });
  userId = await aPayee(payments, '100000.00');
});
afterAll(() => payments.stop());
// Nothing has changed.
afterEach(async () => {
  expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100000.00', reserved: '0.00' });
  expect(await payments.database.asAdmin('select id from payments.withdrawals where user_id = $1', [userId])).toEqual([]);
});

const ledger = (address: unknown) => ({ destination: { type: 'ledger', address } });
const wrongChecksum = `${foreignAddress.slice(0, -1)}A`;
const ownAddress = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

describe('POST /withdrawals', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['amount 0', { amount: '0.00' }],
    ['a negative amount', { amount: '-1.00' }],
    ['three decimal places', { amount: '1.005' }],
    ['eight decimal places of USDC', { amount: '1.00000001', currency: 'USDC', ...ledger(foreignAddress) }],
    ['10^15', { amount: '1000000000000000.00' }],
    ['a number as amount', { amount: 40 }],
    ['no amount', { amount: undefined }],
    ['an exponent', { amount: '4e1' }],
    ['an unknown currency', { currency: 'EUR' }],
    ['no currency', { currency: undefined }],
    ['no destination', { destination: undefined }],
    ['a destination that is a text', { destination: 'bank' }],
    ['an unknown destination', { destination: { type: 'cash' } }],
    ['an unknown field of the destination', { destination: { type: 'bank', accountRef: 'a', iban: 'b' } }],
    ['a bank without account', { destination: { type: 'bank' } }],
    ['USDC to a bank', { currency: 'USDC' }],
    ['XLM to a payment account', { currency: 'XLM', destination: { type: 'payment_account' } }],
    ['a number as user', { userId: 7 }],
    ['a text as commit', { commit: 'true' }],
    ['a description that is too long', { description: 'x'.repeat(5_001) }],
    ['an unknown field', { fee: '0.00' }],
    ['both forms of a destination', { destinationType: 'bank', destinationRef: 'account-7' }],
    ['an address with a wrong checksum', ledger(wrongChecksum)],
    ['an address in lower case', ledger(foreignAddress.toLowerCase())],
    ['a contract', ledger(contractAddress)],
    ['an own wallet', ledger(ownAddress)],
    ['a secret key', ledger(`S${foreignAddress.slice(1)}`)],
    ['an address that is too short', ledger(foreignAddress.slice(0, -1))],
    ['an address that is a number', ledger(7)],
  ])('400 for %s', async (_, given) => {
    payments.ownAddresses.add(ownAddress);
    const { status, code } = await payments.post('/withdrawals', bodyOf(userId, given));
    expect([status, ['VALIDATION_ERROR', 'INVALID_AMOUNT'].includes(code ?? '')]).toEqual([400, true]);
  });

  it('404 USER_NOT_FOUND for unknown and foreign users', async () => {
    const foreign = payments.aUser({ marketplaceId: 'mkt_other' });
    for (const id of [payments.newId('usr'), foreign, payments.newId('ord')]) {
      expect(await payments.post('/withdrawals', bodyOf(id))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    }
  });
});

describe('other routes', () => {
  it.each(['commit', 'refresh', 'cancel'])('404 WITHDRAWAL_NOT_FOUND for %s of an unknown withdrawal', async (operation) => {
    for (const id of [payments.newId('wd'), 'nonsense', payments.newId('ord')]) {
      const response = await payments.post(`/withdrawals/${id}/${operation}`, {});
      expect(response).toMatchObject({ status: 404, code: 'WITHDRAWAL_NOT_FOUND' });
    }
  });

  it('404 WITHDRAWAL_NOT_FOUND for another marketplace', async () => {
    const id = await aWithdrawal(payments);
    const by = { marketplaceId: 'mkt_other' } as const;
    expect(await payments.get(`/withdrawals/${id}`, by)).toMatchObject({ status: 404, code: 'WITHDRAWAL_NOT_FOUND' });
    expect(await payments.post(`/withdrawals/${id}/commit`, {}, by)).toMatchObject({ code: 'WITHDRAWAL_NOT_FOUND' });
    expect(await payments.post(`/withdrawals/${id}/cancel`, {}, by)).toMatchObject({ code: 'WITHDRAWAL_NOT_FOUND' });
    expect((await payments.get('/withdrawals', by)).data.data).toEqual([]);
  });

  it('lists by user and status, newest first', async () => {
    const first = await aWithdrawal(payments);
    const { userId: owner } = (await payments.get(`/withdrawals/${first}`)).data as { userId: string };
    const second = (await payments.post('/withdrawals', bodyOf(owner, { amount: '2.00' }))).data as { id: string };
    await payments.post(`/withdrawals/${first}/cancel`, {});
    const idsOf = async (query: string): Promise<readonly string[]> =>
      ((await payments.get(`/withdrawals?userId=${owner}${query}`)).data.data as { id: string }[]).map(({ id }) => id);
    expect(await idsOf('')).toEqual([second.id, first]);
    expect(await idsOf('&status=WITHDRAWAL_CANCELED')).toEqual([first]);
  });
});
