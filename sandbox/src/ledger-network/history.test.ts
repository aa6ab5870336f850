import type { LandedOperation, LandedTransaction } from '../store/records.js';
import { createHistory, entryToken, transactionToken, type Page } from './history.js';

const trust: LandedOperation = { kind: 'change_trust', source: 'A', asset: 'USDC:I', limitUnits: 1n };
const pay = (to: string): LandedOperation => ({ kind: 'payment', source: 'A', to, asset: 'XLM', units: 1n });

function landed(ledger: number, operations: readonly LandedOperation[], isFailed = false): LandedTransaction {
  return {
    hash: String(ledger),
    ledger,
    applicationOrder: 1,
    closedAt: '',
    source: 'A',
    sequence: BigInt(ledger),
    feeChargedUnits: 100n,
    feeMaxUnits: 100n,
    envelopeXdr: '',
    signatures: [],
    memo: { type: 'none' },
    validAfter: 0,
    validBefore: 0,
    operations,
    failure: isFailed ? { operationCodes: ['op_no_trust'], reason: '' } : undefined,
  };
}

const first = landed(3, [pay('B'), trust, pay('C')]);
const failed = landed(5, [pay('B')], true);
const last = landed(2 ** 22, [pay('B')]);

const history = createHistory();
for (const transaction of [first, failed, last]) history.add('transactions', transaction);

const all: Page = { cursor: undefined, order: 'asc', limit: 10 };
const places = (entries: ReturnType<typeof history.allPayments>) =>
  entries.map(({ transaction, index }) => [transaction.hash, index]);

describe('the history', () => {
  it('lists payments for payer and payee, and failed operations only on request', () => {
    expect(places(history.paymentsOf('B', all))).toEqual([
      ['3', 0],
      [last.hash, 0],
    ]);
    expect(places(history.paymentsOf('C', all))).toEqual([['3', 2]]);
    expect(places(history.allPayments(all))).toHaveLength(3);
    expect(places(history.allOperations(all, false))).toHaveLength(4);
    expect(places(history.allOperations(all, true))).toHaveLength(5);
    expect(history.transactionsOf('A', all)).toEqual([first, failed, last]);
  });

  it('continues after a cursor, in both directions and within a transaction', () => {
    const cursor = entryToken({ transaction: first, index: 1 });
    expect(places(history.allOperations({ ...all, cursor }, true))).toEqual([
      ['3', 2],
      ['5', 0],
      [last.hash, 0],
    ]);
    expect(places(history.allOperations({ cursor, order: 'desc', limit: 10 }, true))).toEqual([['3', 0]]);
    expect(places(history.allOperations({ ...all, order: 'desc', limit: 1 }, true))).toEqual([[last.hash, 0]]);
    expect(history.transactionsOf('A', { ...all, cursor: transactionToken(first), limit: 1 })).toEqual([failed]);
  });
});
