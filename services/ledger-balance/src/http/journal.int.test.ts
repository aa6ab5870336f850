import { caseBookingRequested, custodyTransactionsLanded, topupCreditRequested } from '@holdfast/contracts/messages';
import type { OrderTransfer } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { playMilestones } from '../testing/play-milestones.js';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

const service = { type: 'system', id: 'payments', scopes: [] } as const;
const get = (path: string) => ledger.get(`/internal${path}`, service);

describe('GET /internal/journal/totals', () => {
  it('200 sums the external and platform accounts, by owner and currency', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    await ledger.post(`/users/${userId}/balance/debit`, { amount: '30.00' });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '0.01', currency: 'XLM' });
    const topup = { topupId: 'topup_1', userId, amount: '25.00', currency: 'USD' } as const;
    await ledger.publish(topupCreditRequested, 'topup_1', topup);
    const opened = { caseId: 'rcc_1', kind: 'late_money', origin: 'payins', amount: '5.00', currency: 'USD' } as const;
    await ledger.publish(caseBookingRequested, 'rcc_1', opened);
    await ledger.idle();
    expect((await get('/journal/totals')).data).toEqual({
      totals: [
        { owner: 'manual', currency: 'USD', amount: '-70.00' },
        { owner: 'manual', currency: 'XLM', amount: '-0.01' },
        { owner: 'payins', currency: 'USD', amount: '-30.00' },
        { owner: 'suspense', currency: 'USD', amount: '5.00' },
      ],
    });
  });
});

describe('GET /internal/ledger-check', () => {
  it('200 has what the last check has found', async () => {
    await ledger.aUser({ available: '1.00' });
    const check = await eventually(async () => {
      const found = (await get('/ledger-check')).data as { readonly check: object | null };
      expect(found.check).not.toBeNull();
      return found.check;
    });
    expect(check).toMatchObject({ isSound: true, discrepancies: [], checkedAt: expect.any(String) });
  });
});

describe('GET /internal/custody/accounts', () => {
  /** One hundred wallets with one unit each, a contract, the treasury, and places outside of the platform. */
  async function landed(): Promise<void> {
    const wallets = Array.from({ length: 100 }, (_, n) => ({
      place: 'wallet',
      ownerId: `usr_${n.toString()}`,
      asset: 'USDC',
      amount: '1.00',
    })) as { place: 'wallet'; ownerId: string; asset: 'USDC'; amount: string }[];
    await ledger.publish(custodyTransactionsLanded, 'hash', {
      transactions: [
        {
          transactionHash: 'hash',
          legs: [
            ...wallets,
            { place: 'contract', ownerId: 'ord_1', asset: 'USDC', amount: '7.0000001' },
            { place: 'provider_fees', asset: 'USDC', amount: '0.50' },
            { place: 'world', asset: 'USDC', amount: '-107.5000001' },
            { place: 'treasury', asset: 'XLM', amount: '-0.001' },
            { place: 'network_fees', asset: 'XLM', amount: '0.001' },
          ],
        },
      ],
    });
    await ledger.idle();
  }

  type Page = { readonly balances: readonly object[]; readonly after: string | null };
  const page = async (query: string): Promise<Page> => (await get(`/custody/accounts${query}`)).data as Page;

  it('200 lists what the platform holds, a page at a time, without fees and the outside world', async () => {
    expect(await page('')).toEqual({ balances: [], after: null });
    await landed();
    const first = await page('');
    expect(first.balances).toHaveLength(100);
    const second = await page(`?after=${first.after ?? ''}`);
    expect(second.after).toBeNull();
    const all = [...first.balances, ...second.balances];
    expect(all).toHaveLength(102);
    expect(all).toContainEqual({ place: 'wallet', ownerId: 'usr_99', asset: 'USDC', amount: '1.00' });
    expect(all).toContainEqual({ place: 'contract', ownerId: 'ord_1', asset: 'USDC', amount: '7.0000001' });
    expect(all).toContainEqual({ place: 'treasury', ownerId: null, asset: 'XLM', amount: '-0.001' });
  });

  it('200 has the amounts after an earlier ledger', async () => {
    const moved = (number: number, amount: string, negative: string) =>
      ledger.publish(custodyTransactionsLanded, `hash-${number}`, {
        transactions: [
          {
            transactionHash: `hash-${number}`,
            ledger: number,
            legs: [
              { place: 'contract', ownerId: 'ord_at', asset: 'USDC', amount },
              { place: 'world', asset: 'USDC', amount: negative },
            ],
          },
        ],
      });
    await moved(100, '4.00', '-4.00');
    await moved(101, '-1.50', '1.50');
    await ledger.idle();
    const amountAt = async (query: string): Promise<unknown> => {
      const { after } = await page('');
      const balances = (await page(`?after=${after ?? ''}${query}`)).balances as readonly { ownerId: string; amount: string }[];
      return balances.find(({ ownerId }) => ownerId === 'ord_at')?.amount;
    };
    expect(await amountAt('')).toBe('2.50');
    expect(await amountAt('&ledger=101')).toBe('2.50');
    expect(await amountAt('&ledger=100')).toBe('4.00');
    expect(await amountAt('&ledger=99')).toBe('0.00');
    expect((await get('/custody/accounts?ledger=-1')).code).toBe('VALIDATION_ERROR');
  });

  it.each(['x', '-1', '1e3', '9'.repeat(19)])('400 VALIDATION_ERROR after %s', async (after) => {
    expect((await get(`/custody/accounts?after=${after}`)).code).toBe('VALIDATION_ERROR');
  });
});

describe('GET /internal/orders/{id}/transfers', () => {
  const service = { type: 'system', id: 'orders', scopes: [] } as const;
  const transfersOf = async (query: string, by = service) =>
    (await ledger.get(`/internal/orders/ord_told/transfers${query}`, by)).data;

  it('200 lists what was booked for the order, newest first, with legs that add up to zero', async () => {
    const { buyerId, sellerId } = await playMilestones(ledger, 'ord_told');
    const { items, nextCursor } = await transfersOf('');
    const texts = (items as readonly OrderTransfer[]).map(({ type, milestoneRef, legs }) => [
      type,
      milestoneRef,
      ...legs.map(({ account, amount }) => `${account.replace(buyerId, 'buyer').replace(sellerId, 'seller')} ${amount}`),
    ]);
    expect(texts).toEqual([
      ['ESCROW_PAYOUT', 'final', 'escrow:ord_told -25.00', 'user:buyer:available 25.00'],
      ['ESCROW_PAYOUT', 'final', 'escrow:ord_told -14.25', 'user:seller:available 14.25'],
      ['ESCROW_PAYOUT', 'final', 'escrow:ord_told -0.75', 'platform:fees 0.75'],
      ['ESCROW_PAYOUT', 'draft', 'escrow:ord_told -38.00', 'user:seller:available 38.00'],
      ['ESCROW_PAYOUT', 'draft', 'escrow:ord_told -2.00', 'platform:fees 2.00'],
      ['DEDUCT', null, 'user:buyer:reserved -80.00', 'escrow:ord_told 80.00'],
      ['RESERVE', null, 'user:buyer:available -80.00', 'user:buyer:reserved 80.00'],
    ]);
    expect(nextCursor).toBeNull();
    const first = await transfersOf('?limit=3');
    expect([...first.items, ...(await transfersOf(`?limit=9&cursor=${first.nextCursor}`)).items]).toEqual(items);
  });

  it('200 has nothing of another marketplace; 400 VALIDATION_ERROR for an unknown cursor', async () => {
    const elsewhere = { ...service, marketplaceId: 'mkt_other' } as const;
    expect(await transfersOf('', elsewhere)).toEqual({ items: [], nextCursor: null });
    expect((await ledger.get('/internal/orders/ord_told/transfers?cursor=tr_1', service)).code).toBe('VALIDATION_ERROR');
  });
});
