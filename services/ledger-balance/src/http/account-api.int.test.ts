import { accountCurrencies, type AccountTransactionView } from '@holdfast/contracts/http';
import * as message from '@holdfast/contracts/messages';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import { currencies } from '@holdfast/kernel/money';
import type { TestCaller } from '@holdfast/testing/services';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

const person = (id: UserId): TestCaller => ({ type: 'account', id, scopes: [] });

type TransactionsPage = {
  readonly transactions: readonly AccountTransactionView[];
  readonly pagination: { readonly page: number; readonly limit: number; readonly total: number; readonly pages: number };
  readonly as_of: string;
};

async function transactionsOf(userId: UserId, query = ''): Promise<TransactionsPage> {
  return (await ledger.get(`/balances/transactions${query}`, person(userId))).data as TransactionsPage;
}

async function linesOf(userId: UserId): Promise<readonly string[]> {
  const { transactions } = await transactionsOf(userId, '?limit=100');
  return transactions.map(({ type, amount, currency, description }) => `${type} ${amount} ${currency} ${description}`);
}

const currency = 'USD';

async function aFundedOrder(orderId: OrderId) {
  const [buyerId, sellerId] = [await ledger.aUser({ available: '100.00' }), await ledger.aUser()];
  const funds = { orderId, userId: buyerId, amount: '100.00', currency } as const;
  await ledger.publish(message.orderReserveRequested, orderId, funds);
  await ledger.reply('balance.reservation_made', orderId);
  await ledger.publish(message.orderFundRequested, orderId, funds);
  await ledger.reply('balance.reserved_deducted', orderId);
  const escrow = { escrowId: `esc_${orderId.slice(4)}`, orderId, amount: '100.00', currency } as const;
  return { buyerId, sellerId, orderId, escrow };
}

const funded = ['debit 100 USD Escrow: funded', 'credit 100 USD Credit'];
const at = '2026-01-31T12:00:00.000000Z';

const nothing = [
  { currency: 'USD', available: 0, held: 0 },
  { currency: 'XLM', available: 0, held: 0 },
  { currency: 'USDC', available: 0, held: 0 },
];

describe('GET /balances', () => {
  it('200 with an entry per currency for a new user, and without identity for one that the ledger does not know yet', async () => {
    const userIds = [await ledger.aUser(), ledger.newUserId()];
    ledger.identity.setDown(true);
    const responses = await Promise.all(userIds.map((userId) => ledger.get('/balances', person(userId))));
    ledger.identity.setDown(false);
    const expected = { code: 200, type: 'success', ok: true, message: 'Balances', data: { balances: nothing } };
    expect(responses.map(({ status, body }) => [status, body])).toEqual(responses.map(() => [200, expected]));
    expect([...accountCurrencies].sort()).toEqual([...currencies].sort());
  });

  it('200 with exact numbers, and what is reserved as held', async () => {
    const userId = await ledger.aUser({ available: '90000000000.07' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '0.05' });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', currency: 'XLM' });
    await ledger.post(`/users/${userId}/balance/debit`, { amount: '0.9999999', currency: 'XLM' });
    expect((await ledger.get('/balances', person(userId))).data).toEqual({
      balances: [
        { currency: 'USD', available: 90_000_000_000.02, held: 0.05 },
        { currency: 'XLM', available: 0.000_000_1, held: 0 },
        { currency: 'USDC', available: 0, held: 0 },
      ],
    });
  });

  it.each(['/balances', '/balances/transactions'])('%s 401 for every caller that is not a person', async (path) => {
    const userId = await ledger.aUser({ available: '1.00' });
    const callers = ['master', 'api_key', 'token', 'system', 'anonymous'] as const;
    for (const by of [...callers.map((type) => ({ type, id: userId })), { type: 'account', id: 'master' } as const]) {
      const { status, body } = await ledger.get(path, by);
      expect([status, body]).toMatchObject([401, { code: 401, type: 'error', ok: false, data: null }]);
    }
  });

  it('200 hides other persons, and users of other marketplaces, from a person', async () => {
    const [rich, other] = [await ledger.aUser({ available: '1.00' }), await ledger.aUser()];
    for (const by of [person(other), { ...person(rich), marketplaceId: 'mkt_other' } as const]) {
      expect((await ledger.get('/balances', by)).data).toEqual({ balances: nothing });
      expect((await ledger.get('/balances/transactions', by)).data).toMatchObject({ transactions: [], pagination: { total: 0 } });
    }
  });
});

describe('GET /balances/transactions', () => {
  it('200 with no transactions for a new user and for one that the ledger does not know yet', async () => {
    for (const userId of [await ledger.aUser(), ledger.newUserId()]) {
      const { status, body } = await ledger.get('/balances/transactions', person(userId));
      const data = {
        transactions: [],
        pagination: { page: 1, limit: 20, total: 0, pages: 0 },
        as_of: expect.any(String) as string,
      };
      expect([status, body]).toEqual([200, { code: 200, type: 'success', ok: true, message: 'Transactions', data }]);
      const asOf = (body.data as TransactionsPage).as_of;
      ledger.identity.addUser(userId);
      await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' });
      expect(await transactionsOf(userId, `?as_of=${asOf}`)).toEqual(data);
      expect((await transactionsOf(userId)).pagination.total).toBe(1);
    }
  });

  it('200 shows the same transfers as the platform API, without reservations', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '6.00', orderId: 'ord_9', reason: 'held' });
    await ledger.post(`/users/${userId}/balance/deduct-reserved`, { amount: '2.00', orderId: 'ord_9' });
    await ledger.post(`/users/${userId}/balance/release`, { amount: '4.00', orderId: 'ord_9' });
    await ledger.post(`/users/${userId}/balance/debit`, { amount: '0.50', description: 'Fine for a late return' });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '3.00', currency: 'XLM', description: ' ' });
    const { transactions } = await transactionsOf(userId, '?currency=USD');
    const platform = (await ledger.get(`/users/${userId}/balance/transactions`)).data.data as {
      readonly id: string;
      readonly createdAt: string;
    }[];
    const [debit, , deduct, , credit] = platform.map(({ id, createdAt }) => ({
      id: `txn_${id.slice(3)}`,
      created_at: createdAt,
    }));
    expect(transactions).toEqual([
      { ...debit, type: 'debit', amount: 0.5, currency: 'USD', description: 'Fine for a late return' },
      { ...deduct, type: 'debit', amount: 2, currency: 'USD', description: 'Debit' },
      { ...credit, type: 'credit', amount: 10, currency: 'USD', description: 'Credit' },
    ]);
    const inXlm = { type: 'credit', amount: 3, currency: 'XLM', description: 'Credit' };
    expect((await transactionsOf(userId, '?currency=XLM')).transactions).toMatchObject([inXlm]);
    expect((await transactionsOf(userId)).pagination.total).toBe(4);
  });

  it.each<[OrderId, object, readonly string[], readonly string[]]>([
    ['ord_fee', { platformFee: '5.00', netAmount: '95.00' }, [], ['credit 95 USD Escrow: released, less the platform fee']],
    ['ord_free', { platformFee: '0.00', netAmount: '100.00' }, [], ['credit 100 USD Escrow: released']],
    [
      'ord_split',
      { platformFee: '3.00', netAmount: '57.00', refundAmount: '40.00' },
      ['credit 40 USD Escrow: split after a dispute'],
      ['credit 57 USD Escrow: split after a dispute'],
    ],
  ])('200 describes the release of %s', async (orderId, parts, toBuyer, toSeller) => {
    const { buyerId, sellerId, escrow } = await aFundedOrder(orderId);
    const release = { ...escrow, sellerId, releasedAt: at, ...('refundAmount' in parts ? { buyerId } : {}), ...parts };
    await ledger.publish(message.escrowReleased, escrow.escrowId, message.escrowReleased.payload.parse(release));
    await ledger.reply('balance.escrow_settled', orderId);
    expect(await linesOf(buyerId)).toEqual([...toBuyer, ...funded]);
    expect(await linesOf(sellerId)).toEqual(toSeller);
  });

  it('200 describes refunds, failed fundings and corrected payouts', async () => {
    const refunded = await aFundedOrder('ord_refund');
    const refund = { ...refunded.escrow, buyerId: refunded.buyerId, refundedAt: at };
    await ledger.publish(message.escrowRefunded, refund.escrowId, refund);
    await ledger.reply('balance.escrow_settled', 'ord_refund');
    expect(await linesOf(refunded.buyerId)).toEqual(['credit 100 USD Escrow: refunded', ...funded]);

    const { escrow, buyerId } = await aFundedOrder('ord_failed');
    await ledger.publish(message.escrowFundingFailed, escrow.escrowId, { ...escrow, buyerId, reason: 'provider' });
    await ledger.reply('balance.deduction_restored', 'ord_failed');
    expect(await linesOf(buyerId)).toEqual(['credit 100 USD Escrow: funding failed, the amount is put back', ...funded]);
    expect((await ledger.get('/balances', person(buyerId))).data.balances[0]).toMatchObject({ available: 0, held: 100 });

    const corrected = await aFundedOrder('ord_correct');
    const payout = { userId: corrected.sellerId, amount: '50.00' };
    const correction = {
      orderId: corrected.orderId,
      escrowId: corrected.escrow.escrowId,
      currency,
      platformFee: '0.00',
    } as const;
    await ledger.publish(message.escrowPayoutCorrectionRequested, correction.escrowId, {
      ...correction,
      payoutId: 'evt_lost',
      payouts: [payout, payout],
    });
    await ledger.reply('balance.escrow_settled', 'ord_correct');
    expect(await linesOf(corrected.sellerId)).toEqual(Array(2).fill('credit 50 USD Escrow: payout corrected'));
    const { transactions } = await transactionsOf(corrected.sellerId);
    expect(new Set(transactions.map(({ id }) => id)).size).toBe(2);
  });

  it('200 describes top-ups, deposits, withdrawals and corrections', async () => {
    const userId = await ledger.aUser();
    await ledger.publish(message.topupCreditRequested, 'topup_1', { topupId: 'topup_1', userId, amount: '50.00', currency });
    await ledger.reply('balance.topup_credited', 'topup_1');
    const deposit = { userId, amount: '0.0000007', currency: 'XLM', operationId: '123' } as const;
    await ledger.publish(message.balanceDepositReceived, userId, deposit);
    await ledger.idle();
    const withdrawal = { withdrawalId: 'wd_1', userId, amount: '20.00', currency } as const;
    await ledger.publish(message.withdrawalReserveRequested, 'wd_1', withdrawal);
    await ledger.reply('balance.withdrawal_reserved', 'wd_1');
    await ledger.publish(message.withdrawalDeductRequested, 'wd_1', { ...withdrawal, method: 'payment_provider' });
    await ledger.reply('balance.withdrawal_deducted', 'wd_1');
    const found = { caseId: 'rcc_1', origin: 'payouts', amount: '-30.00', currency } as const;
    await ledger.publish(message.caseBookingRequested, 'rcc_1', { ...found, kind: 'amount_mismatch' });
    await ledger.reply('balance.case_booked', 'rcc_1');
    await ledger.publish(message.caseResolutionRequested, 'rcc_1', { ...found, action: 'credit', userId });
    await ledger.reply('balance.case_cleared', 'rcc_1');
    expect(await linesOf(userId)).toEqual([
      'debit 30 USD Correction: reconciliation case resolved',
      'debit 20 USD Withdrawal: paid out',
      'credit 7e-7 XLM Deposit',
      'credit 50 USD Top-up',
    ]);
  });

  it('200 in numbered pages, which end with an empty one', async () => {
    const userId = await ledger.aUser();
    for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00'])
      await ledger.post(`/users/${userId}/balance/credit`, { amount });
    const pages = await Promise.all(
      [1, 2, 3, 4, 1_000_000].map((page) => transactionsOf(userId, `?limit=2&page=${String(page)}`)),
    );
    expect(pages.map(({ transactions }) => transactions.map(({ amount }) => amount))).toEqual([[5, 4], [3, 2], [1], [], []]);
    expect(pages.map(({ pagination }) => pagination)).toEqual(
      [1, 2, 3, 4, 1_000_000].map((page) => ({ page, limit: 2, total: 5, pages: 3 })),
    );
    expect((await transactionsOf(userId, '?currency=USDC')).pagination).toEqual({ page: 1, limit: 20, total: 0, pages: 0 });
  });

  it('422 for an as_of that the first page of this person did not return', async () => {
    const [userId, other] = [await ledger.aUser({ available: '1.00' }), await ledger.aUser({ available: '1.00' })];
    const [{ as_of: asOf }, { as_of: another }] = [await transactionsOf(userId), await transactionsOf(other)];
    expect(asOf).toBe(`${userId}.USD-1`);
    const bad = ['', 'x', another, userId.slice(0, -1), `${asOf}.USD-1`, `${asOf}.XLM-1`, `${asOf}.`, `${userId}.USD-2`];
    const versions = ['', 'NaN', '-1', '0x1', '1e0', '01', '1.0', '%201', 'Infinity', '1'.repeat(30), "1'", '1-1'];
    for (const text of [...bad, ...versions.map((version) => `${userId}.USD-${version}`), 'x'.repeat(256)]) {
      const { status, body } = await ledger.get(`/balances/transactions?as_of=${text}`, person(userId));
      expect([text, status, body]).toMatchObject([text, 422, { code: 422, ok: false, data: null, errors: [expect.any(String)] }]);
    }
    expect(await transactionsOf(userId, `?asOf=${asOf}`)).toEqual(await transactionsOf(userId));
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1000001',
    'page=x',
    'limit=0',
    'limit=101',
    'limit=1.5',
    'currency=EUR',
    'currency=usd',
    'page=1&page=2',
    'cursor=x',
  ])('422 for %s', async (query) => {
    const { status, body } = await ledger.get(`/balances/transactions?${query}`, person(ledger.newUserId()));
    expect([status, body]).toMatchObject([422, { code: 422, type: 'error', ok: false, data: null }]);
  });
});
