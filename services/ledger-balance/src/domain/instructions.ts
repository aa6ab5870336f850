import type { ErrorCode } from '@holdfast/kernel/errors';
import type { Money } from '@holdfast/kernel/money';
import type { UserId } from '@holdfast/kernel/ids';
import type { AccountRef } from './accounts.js';
import { escrowAccount, feeAccount, userAccount } from './accounts.js';
import type { Hold } from './reservations.js';

type OnUser = { readonly userId: UserId; readonly amount: Money };

/** Money comes from outside into a user's available balance. */
export type Credit = OnUser & {
  readonly does: 'credit';
  readonly from: AccountRef;
  readonly source: string;
  readonly sourceId?: string | undefined;
};

/** Money leaves a user's available balance and the ledger. */
export type Debit = OnUser & {
  readonly does: 'debit';
  readonly to: AccountRef;
  readonly destination: string;
  readonly destinationId?: string;
};

/** Available funds become reserved. */
export type Reserve = OnUser & { readonly does: 'reserve'; readonly hold: Hold; readonly reason?: string };

/** Reserved funds become available again: an amount of the hold, or all of it. */
export type Release = OnUser & {
  readonly does: 'release';
  readonly hold: Hold;
  readonly reason: string;
  readonly exceeded: ErrorCode;
};
export type ReleaseAll = Omit<OnUser, 'amount'> & {
  readonly does: 'release-all';
  readonly currency: Money['currency'];
  readonly hold: Hold;
  readonly reason: string;
  /** Whether an empty hold is refused or accepted without effect. */
  readonly whenNothing: 'refuse' | 'accept';
};

/** Reserved funds leave the user: to the order's escrow account or out of the ledger. */
export type Deduct = OnUser & {
  readonly does: 'deduct';
  readonly hold: Hold;
  readonly to: AccountRef;
  readonly reason: string;
  readonly exceeded: ErrorCode;
};

/** Compensates a deduction into escrow: the funds are reserved for the order again. */
export type Restore = OnUser & {
  readonly does: 'restore';
  readonly orderId: string;
  readonly hold: Hold;
  /** The cause of the deduction, for an aborted run: if there is no such transfer, nothing was deducted and nothing changes. */
  readonly deductionCause?: string | undefined;
};

/** Pays out an order's escrow account: to users, and the fee to the platform. */
export type Settle = {
  readonly does: 'settle';
  readonly orderId: string;
  readonly payouts: readonly { readonly userId: UserId; readonly amount: Money; readonly source: string }[];
  readonly fee: Money;
};

/** Every change of money is one of these. */
export type Instruction = Credit | Debit | Reserve | Release | ReleaseAll | Deduct | Restore | Settle;

export function currencyOf(instruction: Instruction): Money['currency'] {
  if (instruction.does === 'settle') return instruction.fee.currency;
  if (instruction.does === 'release-all') return instruction.currency;
  return instruction.amount.currency;
}

/** The users an instruction concerns. */
export function usersOf(instruction: Instruction): readonly UserId[] {
  return instruction.does === 'settle' ? instruction.payouts.map(({ userId }) => userId) : [instruction.userId];
}

/** Every account that an instruction may touch, including shared ones. The first is the account of the user it is about. */
export function accountsOf(instruction: Instruction): readonly AccountRef[] {
  const currency = currencyOf(instruction);
  if (instruction.does === 'settle') {
    const users = instruction.payouts.map(({ userId }) => userAccount(userId, currency));
    return [...users, escrowAccount(instruction.orderId, currency), feeAccount(currency)];
  }
  const user = userAccount(instruction.userId, currency);
  switch (instruction.does) {
    case 'credit':
      return [user, instruction.from];
    case 'debit':
    case 'deduct':
      return [user, instruction.to];
    case 'restore':
      return [user, escrowAccount(instruction.orderId, currency)];
    case 'reserve':
    case 'release':
    case 'release-all':
      return [user];
  }
}

/** The hold whose reservations an instruction reads. Undefined if it reads none. */
export function holdReadBy(instruction: Instruction): Hold | undefined {
  const reads = instruction.does === 'release' || instruction.does === 'release-all' || instruction.does === 'deduct';
  return reads ? instruction.hold : undefined;
}
