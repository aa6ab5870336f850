import type { LedgerCheck, ReconciliationReportRecord } from '@holdfast/contracts/http';
import { currencies } from '@holdfast/kernel/money';
import { isSound } from './ledger-proof.js';

const check: LedgerCheck = {
  checkedAt: '2026-11-18T12:00:00Z',
  isSound: true,
  transfers: 1,
  accounts: 1,
  discrepancies: [],
  books: [],
};
const right = { difference: '0.00', unexplained: '0.00', solvency: '5.00', unavailable: [] };
const reports = (facts: object = {}) =>
  currencies.map(
    (currency) => ({ ...right, currency, ...(currency === 'USDC' ? facts : {}) }) as unknown as ReconciliationReportRecord,
  );

type Case = readonly [string, LedgerCheck | null, readonly ReconciliationReportRecord[]];

describe('the books', () => {
  it('are sound with a check of the ledger and a complete report of each currency without a difference', () => {
    expect(isSound(check, reports())).toBe(true);
  });

  it.each<Case>([
    ['a broken rule', { ...check, isSound: false }, []],
    ['a difference', null, reports({ difference: '-0.01' })],
    ['something unexplained', check, reports({ unexplained: '0.0000001' })],
    ['more owed than owned', check, reports({ solvency: '-1.00' })],
  ])('are not sound with %s, whatever else is missing', (_, ledger, given) => {
    expect(isSound(ledger, given)).toBe(false);
  });

  it.each<Case>([
    ['no check', null, reports()],
    ['no report of a currency', check, reports().slice(1)],
    ['a part that could not be read', check, reports({ difference: null, unavailable: ['ledgerNetwork'] })],
  ])('are neither with %s', (_, ledger, given) => {
    expect(isSound(ledger, given)).toBeNull();
  });
});
