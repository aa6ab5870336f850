import type { Instant } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import { formatMoney, money, type Money } from '@holdfast/kernel/money';
import type { NewCase } from './case.js';

type NetworkCase = Omit<NewCase, 'marketplaceId'>;

export type UnknownDeposit = {
  readonly operationId: string;
  readonly form: 'contract_transfer' | 'claimable_balance';
  readonly amount: Money;
  readonly userId: UserId | null;
  readonly orderId: string | null;
};

/**
 * The case about money that a stranger has sent. Money in a contract is in our custody, so it is booked. A claimable balance is not ours
 * until it is claimed, so there is nothing to book.
 */
export function unknownDeposit({ operationId, form, amount, userId, orderId }: UnknownDeposit): NetworkCase {
  const isInContract = form === 'contract_transfer';
  return {
    kind: 'unknown_deposit',
    userId,
    amount,
    origin: isInContract ? 'deposits' : 'adjustments',
    source: 'ledger_network',
    sourceId: operationId,
    reason: isInContract
      ? 'An outsider has paid into the contract of an order.'
      : 'A claimable balance was created for the wallet; the platform does not claim it.',
    relatedId: orderId,
  };
}

/** The case about a deposit that nothing has confirmed. Nothing is booked: perhaps there is no money. */
export function unconfirmedDeposit({ operationId, amount, userId, orderId }: Omit<UnknownDeposit, 'form'>): NetworkCase {
  return {
    kind: 'unconfirmed_deposit',
    userId,
    amount,
    origin: 'adjustments',
    source: 'ledger_network',
    sourceId: operationId,
    reason: 'The history of the ledger network shows a deposit that no other source has confirmed.',
    relatedId: orderId,
  };
}

export type UnknownOutflow = {
  readonly sourceId: string;
  readonly place: 'treasury' | 'platform' | 'wallet';
  readonly amount: Money;
  readonly userId: UserId | null;
  readonly to: string | null;
};

/** The case about tokens that left one of our accounts. Custody follows the network, so nothing is booked. */
export function unknownOutflow({ sourceId, place, amount, userId, to }: UnknownOutflow): NetworkCase {
  const receiver = to === null ? '' : ` to ${to}`;
  return {
    kind: 'unknown_outflow',
    userId,
    amount: money(-amount.units, amount.currency),
    origin: 'adjustments',
    source: 'ledger_network',
    sourceId,
    reason: `Tokens have left ${placeNames[place]}${receiver}, in a transaction that the platform has not made.`,
    relatedId: null,
  };
}

/**
 * The case about everything in one currency that left since the backup, and that nothing here explains. The database has forgotten
 * what the platform itself has paid in that time, so a case for each would say little; the list has each of them.
 */
export function outflowsSinceBackup(outflow: UnknownOutflow, restoredAt: Instant): NetworkCase {
  const { amount, sourceId, place, userId, to } = outflow;
  return {
    ...unknownOutflow(outflow),
    userId: null,
    sourceId: `restore ${restoredAt} ${amount.currency}`,
    reason: 'Tokens have left accounts of the platform since the backup that was restored, and nothing in it explains them.',
    outflows: [{ sourceId, place, userId, amount: formatMoney(amount), to }],
  };
}

const placeNames = { treasury: 'the treasury', platform: 'the account of the platform', wallet: 'the wallet of a user' } as const;

export type QuarantinedRecord = { readonly recordId: string; readonly reason: string; readonly userId: UserId | null };

/** The case about a record that could not be understood. Its amount is zero, because it is unknown. */
export function quarantinedRecord({ recordId, reason, userId }: QuarantinedRecord): NetworkCase {
  return {
    kind: 'quarantined_record',
    userId,
    amount: money(0n, 'USDC'),
    origin: 'adjustments',
    source: 'ledger_network',
    sourceId: recordId,
    reason: `A record of the ledger network that names an account of the platform could not be understood: ${reason}`,
    relatedId: null,
  };
}
