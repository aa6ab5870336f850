import { AppError } from '@holdfast/kernel/errors';
import { balanceUnitsMax, formatUnits, storedUnitsMax } from '@holdfast/kernel/money';
import type { ReservationId } from '@holdfast/kernel/ids';
import {
  accountKey,
  escrowAccount,
  externalAccount,
  feeAccount,
  userAccount,
  type Account,
  type AccountRef,
} from './accounts.js';
import {
  changedEscrow,
  changedUser,
  legOf,
  noChanges,
  sharedLegOf,
  type Book,
  type BookChanges,
  type BalanceChange,
  type Transfer,
} from './book-changes.js';
import type {
  Credit,
  Debit,
  Deduct,
  Instruction,
  Move,
  Refuse,
  Free,
  FreeAll,
  Reserve,
  Restore,
  Settle,
} from './instructions.js';
import { activeUnitsOf, reservedForKey, takeOldestFirst, type ReservedFor, type Reservation } from './reservations.js';

/** Decides one instruction on the current book. Throws an AppError if the instruction is refused. */
export function decide(
  book: Book,
  instruction: Exclude<Instruction, Refuse>,
  newReservationId: () => ReservationId,
): BookChanges {
  switch (instruction.does) {
    case 'credit':
      return credit(book, instruction);
    case 'debit':
      return debit(book, instruction);
    case 'reserve':
      return reserve(book, instruction, newReservationId());
    case 'free':
      return free(book, instruction);
    case 'free-all':
      return freeAll(book, instruction);
    case 'deduct':
      return deduct(book, instruction);
    case 'restore':
      return restore(book, instruction, newReservationId());
    case 'settle':
      return settle(book, instruction);
    case 'move':
      return move(instruction);
  }
}

function credit(book: Book, { userId, amount, from, source, sourceId, isReceived }: Credit): BookChanges {
  const { units } = amount;
  const user = account(book, userAccount(userId, amount.currency));
  if (isReceived !== true) guardLimit(user.availableUnits + user.reservedUnits + units, balanceUnitsMax);
  const after = changedUser(user, { available: units });
  return {
    transfers: [{ legs: [sharedLegOf(from, -units), legOf(after, 'available', units)], user: after }],
    accounts: [after],
    reservations: [],
    balanceChanges: [{ kind: 'credited', units, before: user, after, counterpart: source, counterpartId: sourceId }],
  };
}

function debit(book: Book, { userId, amount, to, destination, destinationId }: Debit): BookChanges {
  const { units } = amount;
  const user = account(book, userAccount(userId, amount.currency));
  guardFunds(user, units);
  const after = changedUser(user, { available: -units });
  return {
    transfers: [{ legs: [legOf(after, 'available', -units), sharedLegOf(to, units)], user: after }],
    accounts: [after],
    reservations: [],
    balanceChanges: [{ kind: 'debited', units, before: user, after, counterpart: destination, counterpartId: destinationId }],
  };
}

function reserve(book: Book, { userId, amount, reservedFor, reason }: Reserve, id: ReservationId): BookChanges {
  const { units } = amount;
  const user = account(book, userAccount(userId, amount.currency));
  if (user.isSuspended) throw new AppError('USER_NOT_ACTIVE', { userId });
  guardFunds(user, units);
  const after = changedUser(user, { available: -units, reserved: units });
  return {
    transfers: [{ legs: [legOf(after, 'available', -units), legOf(after, 'reserved', units)], user: after }],
    accounts: [after],
    reservations: [{ id, reservedFor, accountId: user.id, activeUnits: units, reason: reason ?? null }],
    balanceChanges: [{ kind: 'reserved', units, before: user, after, reservedFor }],
  };
}

function free(book: Book, instruction: Free): BookChanges {
  const { userId, amount, reservedFor, reason } = instruction;
  const user = account(book, userAccount(userId, amount.currency));
  const reservations = reservationsOf(book, user, reservedFor);
  guardReserved(reservations, instruction);
  return freeReservations({ user, units: amount.units, reservations, reservedFor, reason });
}

function freeAll(book: Book, { userId, currency, reservedFor, reason, whenNothing }: FreeAll): BookChanges {
  const user = account(book, userAccount(userId, currency));
  const reservations = reservationsOf(book, user, reservedFor);
  const units = activeUnitsOf(reservations);
  if (units > 0n) return freeReservations({ user, units, reservations, reservedFor, reason });
  if (whenNothing === 'refuse') throw new AppError('RESERVATION_NOT_FOUND', { orderId: reservedFor.subjectId });
  return noChanges;
}

type FreeInput = {
  readonly user: Account;
  readonly units: bigint;
  readonly reservations: readonly Reservation[];
  readonly reservedFor: ReservedFor;
  readonly reason: string;
};

function freeReservations({ user, units, reservations, reservedFor, reason }: FreeInput): BookChanges {
  const after = changedUser(user, { available: units, reserved: -units });
  return {
    transfers: [{ legs: [legOf(after, 'reserved', -units), legOf(after, 'available', units)], user: after }],
    accounts: [after],
    reservations: takeOldestFirst(reservations, units),
    balanceChanges: [{ kind: 'freed', units, before: user, after, reservedFor, reason }],
  };
}

function deduct(book: Book, instruction: Deduct): BookChanges {
  const { userId, amount, reservedFor, to, reason } = instruction;
  const { units } = amount;
  const user = account(book, userAccount(userId, amount.currency));
  const reservations = reservationsOf(book, user, reservedFor);
  guardReserved(reservations, instruction);
  const after = changedUser(user, { reserved: -units });
  const escrow = to.kind === 'escrow' ? changedEscrow(account(book, to), units) : undefined;
  const toLeg = escrow === undefined ? sharedLegOf(to, units) : legOf(escrow, 'available', units);
  return {
    transfers: [{ legs: [legOf(after, 'reserved', -units), toLeg], user: after }],
    accounts: escrow === undefined ? [after] : [after, escrow],
    reservations: takeOldestFirst(reservations, units),
    balanceChanges: [{ kind: 'freed', units, before: user, after, reservedFor, reason }],
  };
}

function restore(book: Book, { userId, orderId, amount, reservedFor }: Restore, id: ReservationId): BookChanges {
  const { units } = amount;
  const user = account(book, userAccount(userId, amount.currency));
  const escrow = account(book, escrowAccount(orderId, amount.currency));
  guardHeld(escrow, units);
  const after = changedUser(user, { reserved: units });
  const escrowAfter = changedEscrow(escrow, -units);
  return {
    transfers: [{ legs: [legOf(escrowAfter, 'available', -units), legOf(after, 'reserved', units)], user: after }],
    accounts: [escrowAfter, after],
    reservations: [{ id, reservedFor, accountId: user.id, activeUnits: units, reason: 'escrow_funding_failed' }],
    balanceChanges: [{ kind: 'reserved', units, before: user, after, reservedFor }],
  };
}

function settle(book: Book, { orderId, payouts, fee, isCorrection }: Settle): BookChanges {
  let escrow = account(book, escrowAccount(orderId, fee.currency));
  const units = payouts.reduce((sum, { amount }) => sum + amount.units, fee.units);
  const transfers: Transfer[] = [];
  const missing = units - escrow.availableUnits;
  if (isCorrection === true && missing > 0n) {
    escrow = changedEscrow(escrow, missing);
    const adjustments = sharedLegOf(externalAccount('adjustments', fee.currency), -missing);
    transfers.push({ legs: [adjustments, legOf(escrow, 'available', missing)], user: null });
  }
  guardHeld(escrow, units);
  const users = new Map<string, Account>();
  const balanceChanges: BalanceChange[] = [];
  if (fee.units > 0n) {
    escrow = changedEscrow(escrow, -fee.units);
    const legs = [legOf(escrow, 'available', -fee.units), sharedLegOf(feeAccount(fee.currency), fee.units)];
    transfers.push({ legs, user: null });
  }
  for (const [index, { userId, amount, source }] of payouts.entries()) {
    const { units } = amount;
    if (units === 0n) continue;
    const user = users.get(userId) ?? account(book, userAccount(userId, amount.currency));
    guardLimit(user.availableUnits + units, storedUnitsMax);
    const after = changedUser(user, { available: units });
    escrow = changedEscrow(escrow, -units);
    users.set(userId, after);
    balanceChanges.push({ kind: 'credited', units, before: user, after, counterpart: source, counterpartId: orderId });
    const legs = [legOf(escrow, 'available', -units), legOf(after, 'available', units)];
    // The seller is the first payee, and the fee was kept from the seller's part.
    transfers.push({ legs, user: after, feeUnits: index === 0 ? fee.units : 0n });
  }
  return { transfers, accounts: [escrow, ...users.values()], reservations: [], balanceChanges };
}

function move({ from, to, amount: { units } }: Move): BookChanges {
  if (units === 0n) return noChanges;
  return { ...noChanges, transfers: [{ legs: [sharedLegOf(from, -units), sharedLegOf(to, units)], user: null }] };
}

function guardFunds(user: Account, units: bigint): void {
  if (user.availableUnits >= units) return;
  throw new AppError('INSUFFICIENT_FUNDS', {
    requested: formatUnits(units),
    available: formatUnits(user.availableUnits),
    currency: user.currency,
  });
}

function guardLimit(units: bigint, unitsMax: bigint): void {
  if (units > unitsMax) throw new AppError('LIMIT_EXCEEDED', { balanceMax: formatUnits(unitsMax) });
}

function guardReserved(reservations: readonly Reservation[], { amount, exceeded }: Free | Deduct): void {
  const active = activeUnitsOf(reservations);
  if (active >= amount.units) return;
  throw new AppError(exceeded, {
    requested: formatUnits(amount.units),
    reserved: formatUnits(active),
    currency: amount.currency,
  });
}

/** The money must leave the escrow account, but is not there, for example because another settlement came first. No retry helps. */
function guardHeld(escrow: Account, units: bigint): void {
  if (escrow.availableUnits >= units) return;
  throw new AppError('INVALID_STATE', { held: formatUnits(escrow.availableUnits), requested: formatUnits(units) });
}

function account(book: Book, ref: AccountRef): Account {
  const found = book.accounts.get(accountKey(ref));
  if (found === undefined) throw new RangeError(`account ${accountKey(ref)} is not in the book`);
  return found;
}

function reservationsOf(book: Book, user: Account, reservedFor: ReservedFor): readonly Reservation[] {
  return book.reservations.get(reservedForKey(user.id, reservedFor)) ?? [];
}
