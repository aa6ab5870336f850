import type { HistoryEntry } from '@holdfast/ledger-network/horizon';
import { completeTransactions, positionAfter } from './transactions.js';

const anEntry = (transactionHash: string | undefined, position: string | undefined = '1'): HistoryEntry => ({
  position,
  transactionHash,
  rejected: { id: '1', record: null, reason: 'a test', isKnownType: false, source: undefined, names: [] },
});

describe('the complete transactions of a page', () => {
  const entries = ['a', 'a', 'b', 'c'].map((hash) => anEntry(hash));

  it('exclude one that may continue on the next page', () => {
    const hashes = (isLast: boolean) => completeTransactions({ entries, isLast }).map(({ hash }) => hash);
    expect([hashes(true), hashes(false)]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
    ]);
    expect(completeTransactions({ entries, isLast: true })[0]?.entries).toHaveLength(2);
  });

  it('have the records that name no transaction', () => {
    const unnamed = [undefined, 'a', undefined, 'b'].map((hash) => anEntry(hash));
    expect(
      completeTransactions({ entries: unnamed, isLast: true }).map(({ hash, entries: { length } }) => [hash, length]),
    ).toEqual([
      [undefined, 1],
      ['a', 2],
      ['b', 1],
    ]);
  });
});

describe('the position after a page', () => {
  const after = (cursor: string, positions: readonly (string | undefined)[]) =>
    positionAfter(cursor, [{ hash: 'a', entries: positions.map((position) => ({ ...anEntry('a'), position })) }]);

  it.each([
    ['', ['3', '12'], '12'],
    ['2', ['3', undefined], '3'],
    ['2', [undefined], '2'],
    ['2', [], '2'],
  ])('from "%s" over %j is %s', (cursor, positions, expected) => {
    expect(after(cursor, positions)).toBe(expected);
  });

  it.each([
    ['5', ['5']],
    ['5', ['4', '6']],
    ['5', ['6', '6']],
    ['9', ['10', '9']],
  ])('503 SERVICE_UNAVAILABLE from %s over %j, which was not requested', (cursor, positions) => {
    expect(() => after(cursor, positions)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as Error);
  });
});
