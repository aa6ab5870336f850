import type { AppError, ErrorCode } from '@holdfast/kernel/errors';
import type { Money } from '@holdfast/kernel/money';
import type { UserId } from '@holdfast/kernel/ids';
import { escrowAccount, externalAccount, feeAccount, userAccount, type AccountRef } from './accounts.js';
import type { ReservedFor } from './reservations.js';

type OnUser = { readonly userId: UserId; readonly amount: Money };

/** Money comes from outside into a user's available balance. */
export type Credit = OnUser & {
  readonly does: 'credit';
  readonly from: AccountRef;
  readonly source: string;
  readonly sourceId?: string | undefined;
  /** The platform holds the money already, so the limit of a balance does not refuse it. */
  readonly isReceived?: true;
};

/** Money leaves a user's available balance and the ledger. */
export type Debit = OnUser & {
  readonly does: 'debit';
  readonly to: AccountRef;
  readonly destination: string;
  readonly destinationId?: string;
};

/** Available funds become reserved. */
export type Reserve = OnUser & { readonly does: 'reserve'; readonly reservedFor: ReservedFor; readonly reason?: string };

/** Reserved funds become available again: an amount of the reservation, or all of it. */
export type Free = OnUser & {
  readonly does: 'free';
  readonly reservedFor: ReservedFor;
  readonly reason: string;
  readonly exceeded: ErrorCode;
};
export type FreeAll = Omit<OnUser, 'amount'> & {
  readonly does: 'free-all';
  readonly currency: Money['currency'];
  readonly reservedFor: ReservedFor;
  readonly reason: string;
  /** Whether a missing reservation is refused or accepted without effect. */
  readonly whenNothing: 'refuse' | 'accept';
};

/** Reserved funds leave the user: to the order's escrow account or out of the ledger. */
export type Deduct = OnUser & {
  readonly does: 'deduct';
  readonly reservedFor: ReservedFor;
  readonly to: AccountRef;
  readonly reason: string;
  readonly exceeded: ErrorCode;
};

/** Compensates a deduction into escrow: the funds are reserved for the order again. */
export type Restore = OnUser & {
  readonly does: 'restore';
  readonly orderId: string;
  readonly reservedFor: ReservedFor;
  /** The cause of the deduction, for an aborted run: if there is no such transfer, nothing was deducted and nothing changes. */
  readonly deductionCause?: string | undefined;
};

/**
 * Pays out an order's escrow account: to users, and the fee to the platform. What the account lacks is refused, or comes from the
 * adjustments if an operator has decided so.
 */
export type Settle = {
  readonly does: 'settle';
  readonly orderId: string;
  readonly payouts: readonly { readonly userId: UserId; readonly amount: Money; readonly source: string }[];
  readonly fee: Money;
  readonly isCorrection?: boolean;
};

/** Money moves between two shared accounts. A negative amount moves the other way, and zero moves nothing. */
export type Move = { readonly does: 'move'; readonly from: AccountRef; readonly to: AccountRef; readonly amount: Money };

/** Changes nothing: the message was refused before an account could be read, for example because its user is unknown. */
export type Refuse = { readonly does: 'refuse'; readonly account: AccountRef; readonly refusal: AppError };

/** Every change of money is one of these; `refuse` changes nothing. */
export type Instruction = Credit | Debit | Reserve | Free | FreeAll | Deduct | Restore | Settle | Move | Refuse;

export function currencyOf(instruction: Instruction): Money['currency'] {
  if (instruction.does === 'settle') return instruction.fee.currency;
  if (instruction.does === 'free-all') return instruction.currency;
  if (instruction.does === 'refuse') return instruction.account.currency;
  return instruction.amount.currency;
}

/** The users an instruction concerns. */
export function usersOf(instruction: Instruction): readonly UserId[] {
  if (instruction.does === 'settle') return instruction.payouts.map(({ userId }) => userId);
  return 'userId' in instruction ? [instruction.userId] : [];
}

/**
 * Every account that an instruction may touch, including shared ones. The first is the account that it is about: a user's account, or a
 * shared one if it concerns no user.
 */
export function accountsOf(instruction: Instruction): readonly AccountRef[] {
  if (instruction.does === 'move') return [instruction.from, instruction.to];
  if (instruction.does === 'refuse') return [instruction.account];
  const currency = currencyOf(instruction);
  if (instruction.does === 'settle') {
    const users = instruction.payouts.map(({ userId }) => userAccount(userId, currency));
    const adjustments = instruction.isCorrection === true ? [externalAccount('adjustments', currency)] : [];
    return [...users, escrowAccount(instruction.orderId, currency), feeAccount(currency), ...adjustments];
  }
  return [userAccount(instruction.userId, currency), ...counterpartsOf(instruction)];
}

function counterpartsOf(instruction: Exclude<Instruction, Settle | Move | Refuse>): readonly AccountRef[] {
  switch (instruction.does) {
    case 'credit':
      return [instruction.from];
    case 'debit':
    case 'deduct':
      return [instruction.to];
    case 'restore':
      return [escrowAccount(instruction.orderId, instruction.amount.currency)];
    case 'reserve':
    case 'free':
    case 'free-all':
      return [];
  }
}

/** What the reservations are for that an instruction reads. Undefined if it reads none. */
export function reservationsReadBy(instruction: Instruction): ReservedFor | undefined {
  const reads = instruction.does === 'free' || instruction.does === 'free-all' || instruction.does === 'deduct';
  return reads ? instruction.reservedFor : undefined;
}
