/** What a line of a statement is made of, apart from its amounts. */
export type StatedTransfer = {
  readonly type: string;
  readonly availableChangeUnits: bigint;
  readonly reservedChangeUnits: bigint;
  readonly orderId: string | null;
  readonly milestoneRef: string | null;
  readonly reference: string | null;
  readonly description: string | null;
};

/** Says what the transfer was for, in the words of the people who are paid. */
export function statementTextOf(transfer: StatedTransfer): string {
  const { type, reference, description } = transfer;
  switch (type) {
    case 'RESERVE':
      return `Reserved${forOrderOf(transfer)}${remarkOf(transfer)}`;
    case 'RELEASE':
      return `No longer reserved${forOrderOf(transfer)}${remarkOf(transfer)}`;
    case 'DEDUCT':
      return description === 'Escrow: funded'
        ? `Paid into escrow${forOrderOf(transfer)}`
        : `Deducted from reserved funds${forOrderOf(transfer)}${remarkOf(transfer)}`;
    case 'RESTORE':
      return `Escrow not funded, amount put back${forOrderOf(transfer)}`;
    case 'ESCROW_PAYOUT':
      return `${payoutWord(description)}${forOrderOf(transfer)}`;
    case 'TOPUP':
      return named('Top-up', reference);
    case 'WITHDRAWAL':
      return `${named('Withdrawal', reference)}: ${withdrawalWord(transfer)}`;
    case 'RECONCILIATION':
      return named('Correction after case', reference);
    case 'DEPOSIT':
      return 'Deposit on the ledger network';
    default:
      return description ?? named(type === 'DEBIT' ? 'Debit' : 'Credit', reference);
  }
}

function forOrderOf({ orderId, milestoneRef }: StatedTransfer): string {
  const milestone = milestoneRef === null ? '' : `, milestone ${milestoneRef}`;
  return orderId === null ? '' : ` for order ${orderId}${milestone}`;
}

/** The reason that the marketplace gave. */
function remarkOf({ description }: StatedTransfer): string {
  return description === null ? '' : `: ${description}`;
}

function named(word: string, id: string | null): string {
  return id === null ? word : `${word} ${id}`;
}

/** The ends of the descriptions that `settleEscrow` stores. The same payout pays both sides after a split. */
const payoutWords = [
  ['refunded', 'Refund'],
  ['split after a dispute', 'Share after a dispute'],
  ['payout corrected', 'Corrected payment'],
] as const;

function payoutWord(description: string | null): string {
  return payoutWords.find(([end]) => description?.endsWith(end))?.[1] ?? 'Payment';
}

function withdrawalWord({ availableChangeUnits, reservedChangeUnits }: StatedTransfer): string {
  if (reservedChangeUnits > 0n) return 'amount reserved';
  return availableChangeUnits > 0n ? 'not paid out, amount available again' : 'paid out';
}
