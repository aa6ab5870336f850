import type { Instant } from '@holdfast/kernel/context';
import type { CaseId, UserId } from '@holdfast/kernel/ids';
import { baseCurrency, money, type Money } from '@holdfast/kernel/money';
import type { Aggregate } from '@holdfast/sagas';
import type { CaseStatus } from './case-states.js';

export type CaseKind =
  | 'late_money'
  | 'amount_mismatch'
  | 'unexplained_difference'
  | 'unknown_deposit'
  | 'unconfirmed_deposit'
  | 'unconfirmed_payment'
  | 'unknown_outflow'
  | 'quarantined_record';
export type CaseAction = 'credit' | 'return' | 'write_off';
/** The external account of the ledger that the money of a case came from or went to. */
export type CaseOrigin = 'payins' | 'payouts' | 'deposits' | 'adjustments';

export type CaseResolution = {
  readonly action: CaseAction;
  readonly note: string;
  readonly requestedBy: string;
  readonly approvedBy: string | null;
  readonly resolvedAt: Instant | null;
};

/** One of the outflows that a case lists. */
export type CaseOutflow = {
  readonly sourceId: string;
  readonly place: 'treasury' | 'platform' | 'wallet';
  readonly userId: UserId | null;
  readonly amount: string;
  readonly to: string | null;
};

/** Money that belongs to no operation, or a difference that nothing explains. */
export type Case = Aggregate<'open-case' | 'resolve-case'> & {
  readonly id: CaseId;
  readonly kind: CaseKind;
  readonly status: CaseStatus;
  readonly userId: UserId | null;
  /** Negative if more left than was booked. */
  readonly amount: Money;
  /** The external account of the ledger that the money came from or went to. */
  readonly origin: CaseOrigin;
  /** Where it was found, and its id there. */
  readonly source: string;
  readonly sourceId: string;
  readonly reason: string;
  readonly relatedId: string | null;
  /** What left since the backup that was restored; empty for every other case. */
  readonly outflows: readonly CaseOutflow[];
  readonly resolution: CaseResolution | null;
  /** The payout of a return, once it is completed. */
  readonly providerPayoutId: string | null;
  /** How often a return was begun. */
  readonly returns: number;
  /** When the ledger booked the money to the suspense account. */
  readonly bookedAt: Instant | null;
};

export type NewCase = Pick<
  Case,
  'kind' | 'marketplaceId' | 'userId' | 'amount' | 'origin' | 'source' | 'sourceId' | 'reason' | 'relatedId'
> &
  Partial<Pick<Case, 'outflows'>>;

/** The case about a payment whose amount at the payment provider cannot be read. Its amount is zero, because it is unknown. */
export function unreadablePayment(about: 'payin' | 'payout', providerId: string): Omit<NewCase, 'marketplaceId' | 'userId'> {
  return {
    kind: 'quarantined_record',
    amount: money(0n, baseCurrency),
    origin: 'adjustments',
    source: 'payment_provider',
    sourceId: providerId,
    reason: `The payment provider has a ${about === 'payin' ? 'payment' : 'payout'} whose amount cannot be read.`,
    relatedId: null,
  };
}

/**
 * Whether the money of the case goes through the suspense account. A difference on the ledger network is not booked. The custody accounts
 * of the journal follow the transactions of the network, and we do not know yet which one is missing.
 */
export function isBooked({ origin }: Pick<Case, 'origin'>): boolean {
  return origin !== 'adjustments';
}

/**
 * Whether a second credential must confirm how the case is resolved. The limit is in the base currency: USD and USDC count one to one,
 * and what the platform has no rate for counts as more than any limit.
 */
export function needsApproval({ amount }: Pick<Case, 'amount'>, limitUnits: bigint | undefined): boolean {
  if (limitUnits === undefined || amount.units === 0n) return false;
  const units = amount.units < 0n ? -amount.units : amount.units;
  return amount.currency === 'XLM' || units > limitUnits;
}

/** A return is a payout, and every payout has its own code; the code of the first one is the id of the case. */
export function returnCodeOf({ id, returns }: Pick<Case, 'id' | 'returns'>): string {
  return returns <= 1 ? id : `${id}-${returns}`;
}
