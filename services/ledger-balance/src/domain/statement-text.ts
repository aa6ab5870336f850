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

type TextOf = (transfer: StatedTransfer) => string;

/** The text of a line, by type of the transfer. */
const texts: Readonly<Record<string, TextOf>> = {
  RESERVE: (transfer) => `Reserved${forOrderOf(transfer)}${remarkOf(transfer)}`,
  RELEASE: (transfer) => `No longer reserved${forOrderOf(transfer)}${remarkOf(transfer)}`,
  DEDUCT: (transfer) =>
    transfer.description === 'Escrow: funded'
      ? `Paid into escrow${forOrderOf(transfer)}`
      : `Deducted from reserved funds${forOrderOf(transfer)}${remarkOf(transfer)}`,
  RESTORE: (transfer) => `Escrow not funded, amount put back${forOrderOf(transfer)}`,
  ESCROW_PAYOUT: (transfer) => `${payoutWord(transfer.description ?? '')}${forOrderOf(transfer)}`,
  TOPUP: ({ reference }) => named('Top-up', reference),
  WITHDRAWAL: (transfer) => `${named('Withdrawal', transfer.reference)}: ${withdrawalWord(transfer)}`,
  RECONCILIATION: ({ reference }) => named('Correction after case', reference),
  DEPOSIT: () => 'Deposit on the ledger network',
  CREDIT: ({ description, reference }) => description ?? named('Credit', reference),
  DEBIT: ({ description, reference }) => description ?? named('Debit', reference),
};

/** Says what the transfer was for, in the words of the people who are paid. */
export function statementTextOf(transfer: StatedTransfer): string {
  return texts[transfer.type]?.(transfer) ?? transfer.type;
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

function payoutWord(description: string): string {
  return payoutWords.find(([end]) => description.endsWith(end))?.[1] ?? 'Payment';
}

function withdrawalWord({ availableChangeUnits, reservedChangeUnits }: StatedTransfer): string {
  if (reservedChangeUnits > 0n) return 'amount reserved';
  return availableChangeUnits > 0n ? 'not paid out, amount available again' : 'paid out';
}
