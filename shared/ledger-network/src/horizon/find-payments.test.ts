import { toInstant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { paymentSearch } from './find-payments.js';
import type { HistoryTransaction, LedgerHistory } from './ledger-history.js';

const memoHash = 'ab'.repeat(32);
const since = toInstant(1_000_000);
const sought = { payers: ['GONE', 'GTWO'], memoHash, since };

function aTransaction(position: number, given: Partial<HistoryTransaction> = {}): HistoryTransaction {
  const at = toInstant(2_000_000);
  return { hash: `hash-${position}`, source: 'GSTRANGER', isSuccessful: true, at, position: String(position), ...given };
}

type Histories = Readonly<Record<string, readonly HistoryTransaction[]>>;

/** Newest first, as Horizon lists them. */
function historyOf(histories: Histories, fail: () => boolean = () => false): Pick<LedgerHistory, 'transactionsOf'> {
  return {
    transactionsOf: (address, { cursor, limit }) => {
      if (fail()) return Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
      const transactions = histories[address] ?? [];
      const start = cursor === undefined ? 0 : transactions.findIndex(({ position }) => position === cursor) + 1;
      return Promise.resolve(transactions.slice(start, start + limit));
    },
  };
}

const dust = (count: number, from = 90_000) => Array.from({ length: count }, (_, index) => aTransaction(from - index));

describe('the payments of the payers with a memo', () => {
  it('are found over several pages of each payer', async () => {
    const paid = aTransaction(4, { memoHash, source: 'GTWO' });
    const find = paymentSearch(historyOf({ GONE: dust(450), GTWO: [...dust(450), paid, aTransaction(3)] }));
    expect(await find(sought)).toEqual(['hash-4']);
  });

  it('are only successful ones that the payer has made itself', async () => {
    const failed = aTransaction(6, { memoHash, source: 'GONE', isSuccessful: false });
    const others = [aTransaction(5, { memoHash }), aTransaction(4, { source: 'GONE' })];
    const find = paymentSearch(historyOf({ GONE: [failed, ...others] }));
    expect(await find(sought)).toEqual([]);
  });

  it('are not sought further back than the given time', async () => {
    const old = aTransaction(4, { memoHash, source: 'GONE', at: toInstant(999_000) });
    const find = paymentSearch(historyOf({ GONE: [...dust(3), old, ...dust(20_000)] }));
    expect(await find(sought)).toEqual([]);
  });

  it('are found behind any number of payments of strangers, by going on', async () => {
    const paid = aTransaction(4, { memoHash, source: 'GONE' });
    const find = paymentSearch(historyOf({ GONE: [...dust(50_000), paid] }));
    const results = [];
    while (results.at(-1) === undefined && results.length < 100) results.push(await find(sought));
    expect([results.length, results.at(-1)]).toEqual([13, ['hash-4']]);
  });

  it('are sought on after a page that could not be read', async () => {
    let calls = 0;
    const paid = aTransaction(4, { memoHash, source: 'GONE' });
    const find = paymentSearch(historyOf({ GONE: [...dust(3_000), paid] }, () => (calls += 1) % 5 === 0));
    const results = [];
    while (results.at(-1) === undefined && results.length < 100) results.push(await find(sought).catch(() => undefined));
    expect(results.at(-1)).toEqual(['hash-4']);
  });
});
