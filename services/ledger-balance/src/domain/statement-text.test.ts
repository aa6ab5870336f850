import { statementTextOf, type StatedTransfer } from './statement-text.js';

const nothing = {
  availableChangeUnits: 0n,
  reservedChangeUnits: 0n,
  orderId: null,
  milestoneRef: null,
  reference: null,
  description: null,
} as const;

const ofOrder = { orderId: 'ord_1' } as const;
const ofMilestone = { ...ofOrder, milestoneRef: 'm1' } as const;

describe('the text of a line', () => {
  it.each<readonly [Partial<StatedTransfer> & Pick<StatedTransfer, 'type'>, string]>([
    [{ type: 'CREDIT' }, 'Credit'],
    [{ type: 'CREDIT', description: 'Welcome bonus', reference: 'invoice-1' }, 'Welcome bonus'],
    [{ type: 'DEBIT', reference: 'fee-7' }, 'Debit fee-7'],
    [{ type: 'RESERVE', ...ofOrder }, 'Reserved for order ord_1'],
    [{ type: 'RESERVE', description: 'deposit' }, 'Reserved: deposit'],
    [{ type: 'RELEASE', ...ofOrder }, 'No longer reserved for order ord_1'],
    [{ type: 'DEDUCT', ...ofOrder, description: 'Escrow: funded' }, 'Paid into escrow for order ord_1'],
    [{ type: 'DEDUCT', description: 'damage' }, 'Deducted from reserved funds: damage'],
    [{ type: 'RESTORE', ...ofOrder }, 'Escrow not funded, amount put back for order ord_1'],
    [{ type: 'ESCROW_PAYOUT', ...ofOrder, description: 'Escrow: released, less the platform fee' }, 'Payment for order ord_1'],
    [{ type: 'ESCROW_PAYOUT', ...ofOrder, description: 'Escrow: refunded' }, 'Refund for order ord_1'],
    [{ type: 'ESCROW_PAYOUT', ...ofOrder, description: 'Escrow: payout corrected' }, 'Corrected payment for order ord_1'],
    [
      { type: 'ESCROW_PAYOUT', ...ofMilestone, description: 'Escrow: milestone m1 split after a dispute' },
      'Share after a dispute for order ord_1, milestone m1',
    ],
    [
      { type: 'ESCROW_PAYOUT', ...ofMilestone, description: 'Escrow: milestone m1 released' },
      'Payment for order ord_1, milestone m1',
    ],
    [{ type: 'TOPUP', reference: 'topup_1' }, 'Top-up topup_1'],
    [{ type: 'DEPOSIT' }, 'Deposit on the ledger network'],
    [
      { type: 'WITHDRAWAL', reference: 'wd_1', availableChangeUnits: -5n, reservedChangeUnits: 5n },
      'Withdrawal wd_1: amount reserved',
    ],
    [{ type: 'WITHDRAWAL', reference: 'wd_1', reservedChangeUnits: -5n }, 'Withdrawal wd_1: paid out'],
    [
      { type: 'WITHDRAWAL', reference: 'wd_1', availableChangeUnits: 5n, reservedChangeUnits: -5n },
      'Withdrawal wd_1: not paid out, amount available again',
    ],
    [{ type: 'RECONCILIATION', reference: 'rcc_1' }, 'Correction after case rcc_1'],
  ])('%j', (transfer, text) => {
    expect(statementTextOf({ ...nothing, ...transfer })).toBe(text);
  });
});
