import { toInstant } from '@holdfast/kernel/context';
import { findPayments } from './find-payments.js';
import type { LedgerHistory, LedgerOperation } from './ledger-history.js';

const memoHash = 'ab'.repeat(32);
const since = toInstant(1_000_000);
const fee = { address: 'G', units: 100n };

function anOperation(id: number, given: Partial<LedgerOperation> = {}): LedgerOperation {
  const transactionHash = `hash-${id}`;
  return {
    id: String(id),
    type: 'payment',
    transactionHash,
    isSuccessful: true,
    at: toInstant(2_000_000),
    transfers: [],
    fee,
    ...given,
  };
}

/** Newest first, as Horizon lists them. */
function historyOf(operations: readonly LedgerOperation[]): Pick<LedgerHistory, 'newestOf'> {
  return {
    newestOf: (_, { cursor, limit }) => {
      const start = cursor === undefined ? 0 : operations.findIndex(({ id }) => id === cursor) + 1;
      return Promise.resolve(operations.slice(start, start + limit));
    },
  };
}

const others = (count: number, from = 10_000) => Array.from({ length: count }, (_, index) => anOperation(from - index));

describe('the payments to an address with a memo', () => {
  it('are found over several pages, without failed ones and those of other memos', async () => {
    const failed = anOperation(3, { memoHash, isSuccessful: false });
    const history = historyOf([...others(450), anOperation(4, { memoHash }), failed, anOperation(2, { memoHash: 'cd' })]);
    expect(await findPayments(history, { to: 'G', memoHash, since })).toMatchObject([{ transactionHash: 'hash-4' }]);
  });

  it('are not sought further back than the given time', async () => {
    const old = { at: toInstant(999_000) };
    const history = historyOf([...others(3), anOperation(4, { memoHash, ...old }), ...others(20_000, 90_000)]);
    expect(await findPayments(history, { to: 'G', memoHash, since })).toEqual([]);
  });

  it('are unknown where the history since then is too long', async () => {
    expect(await findPayments(historyOf(others(10_001, 90_000)), { to: 'G', memoHash, since })).toBeUndefined();
  });
});
