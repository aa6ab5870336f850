import { AppError } from '@holdfast/shared/errors';
import { balanceUnitsMax, formatUnits } from '@holdfast/shared/money';
import type { ReservationId } from '@holdfast/shared/ids';
import { accountKey, escrowAccount, feeAccount, userAccount, type Account, type AccountRef } from './accounts.js';
import { draftOn, type Book, type Decision } from './draft.js';
import type { Credit, Debit, Deduct, Instruction, Release, ReleaseAll, Reserve, Restore, Settle } from './instructions.js';
import { activeUnitsOf, holdKey, takeOldestFirst, type Hold, type Reservation } from './reservations.js';

/** Decides one instruction on the book as it stands: what changes, or an AppError that says why nothing does. */
export function decide(book: Book, instruction: Instruction, newReservationId: () => ReservationId): Decision {
  switch (instruction.does) {
    case 'credit':
      return credit(book, instruction);
    case 'debit':
      return debit(book, instruction);
    case 'reserve':
      return reserve(book, instruction, newReservationId());
    case 'release':
      return release(book, instruction);
    case 'release-all':
      return releaseAll(book, instruction);
    case 'deduct':
      return deduct(book, instruction);
    case 'restore':
      return restore(book, instruction, newReservationId());
    case 'settle':
      return settle(book, instruction);
  }
}

function credit(book: Book, { userId, amount, from, source, sourceId }: Credit): Decision {
  const draft = draftOn(book);
  const user = account(book, userAccount(userId, amount.currency));
  guardLimit(user.availableUnits + user.reservedUnits + amount.units);
  draft.move({ from, to: user, units: amount.units });
  draft.tell(user, {
    tells: 'credited',
    units: amount.units,
    counterpart: source,
    ...(sourceId === undefined ? {} : { counterpartId: sourceId }),
  });
  draft.endTransfer(user);
  return draft.decision();
}

function debit(book: Book, { userId, amount, to, destination, destinationId }: Debit): Decision {
  const draft = draftOn(book);
  const user = account(book, userAccount(userId, amount.currency));
  guardFunds(user, amount.units);
  draft.move({ from: user, to, units: amount.units });
  draft.tell(user, {
    tells: 'debited',
    units: amount.units,
    counterpart: destination,
    ...(destinationId === undefined ? {} : { counterpartId: destinationId }),
  });
  draft.endTransfer(user);
  return draft.decision();
}

function reserve(book: Book, { userId, amount, hold, reason }: Reserve, id: ReservationId): Decision {
  const draft = draftOn(book);
  const user = account(book, userAccount(userId, amount.currency));
  if (user.isSuspended) throw new AppError('USER_NOT_ACTIVE', { userId });
  guardFunds(user, amount.units);
  draft.move({ from: user, to: user, toPart: 'reserved', units: amount.units });
  draft.keep({ id, hold, accountId: user.id, activeUnits: amount.units, reason: reason ?? null });
  draft.tell(user, { tells: 'reserved', units: amount.units, hold });
  draft.endTransfer(user);
  return draft.decision();
}

function release(book: Book, instruction: Release): Decision {
  const { userId, amount, hold, reason } = instruction;
  const user = account(book, userAccount(userId, amount.currency));
  const held = reservationsOf(book, user, hold);
  guardHeld(held, instruction);
  return freed(book, { user, units: amount.units, held, hold, reason });
}

function releaseAll(book: Book, { userId, currency, hold, reason, whenNothing }: ReleaseAll): Decision {
  const user = account(book, userAccount(userId, currency));
  const held = reservationsOf(book, user, hold);
  const units = activeUnitsOf(held);
  if (units > 0n) return freed(book, { user, units, held, hold, reason });
  if (whenNothing === 'refuse') throw new AppError('RESERVATION_NOT_FOUND', { orderId: hold.subjectId });
  return draftOn(book).decision();
}

type Freeing = {
  readonly user: Account;
  readonly units: bigint;
  readonly held: readonly Reservation[];
  readonly hold: Hold;
  readonly reason: string;
};

function freed(book: Book, { user, units, held, hold, reason }: Freeing): Decision {
  const draft = draftOn(book);
  draft.move({ from: user, fromPart: 'reserved', to: user, units });
  takeOldestFirst(held, units).forEach(draft.keep);
  draft.tell(user, { tells: 'released', units, hold, reason });
  draft.endTransfer(user);
  return draft.decision();
}

function deduct(book: Book, instruction: Deduct): Decision {
  const { userId, amount, hold, to, reason } = instruction;
  const draft = draftOn(book);
  const user = account(book, userAccount(userId, amount.currency));
  const held = reservationsOf(book, user, hold);
  guardHeld(held, instruction);
  draft.move({ from: user, fromPart: 'reserved', to: to.kind === 'escrow' ? account(book, to) : to, units: amount.units });
  takeOldestFirst(held, amount.units).forEach(draft.keep);
  draft.tell(user, { tells: 'released', units: amount.units, hold, reason });
  draft.endTransfer(user);
  return draft.decision();
}

function restore(book: Book, { userId, orderId, amount, hold }: Restore, id: ReservationId): Decision {
  const draft = draftOn(book);
  const user = account(book, userAccount(userId, amount.currency));
  const escrow = account(book, escrowAccount(orderId, amount.currency));
  guardEscrow(escrow, amount.units);
  draft.move({ from: escrow, to: user, toPart: 'reserved', units: amount.units });
  draft.keep({ id, hold, accountId: user.id, activeUnits: amount.units, reason: 'escrow_funding_failed' });
  draft.tell(user, { tells: 'reserved', units: amount.units, hold });
  draft.endTransfer(user);
  return draft.decision();
}

function settle(book: Book, { orderId, payouts, fee }: Settle): Decision {
  const draft = draftOn(book);
  const escrow = account(book, escrowAccount(orderId, fee.currency));
  guardEscrow(
    escrow,
    payouts.reduce((sum, { amount }) => sum + amount.units, fee.units),
  );
  if (fee.units > 0n) {
    draft.move({ from: escrow, to: feeAccount(fee.currency), units: fee.units });
    draft.endTransfer(null);
  }
  for (const { userId, amount, source } of payouts) {
    if (amount.units === 0n) continue;
    const user = account(book, userAccount(userId, amount.currency));
    guardLimit(user.availableUnits + user.reservedUnits + amount.units);
    draft.move({ from: escrow, to: user, units: amount.units });
    draft.tell(user, { tells: 'credited', units: amount.units, counterpart: source, counterpartId: orderId });
    draft.endTransfer(user);
  }
  return draft.decision();
}

function guardFunds(user: Account, units: bigint): void {
  if (user.availableUnits >= units) return;
  throw new AppError('INSUFFICIENT_FUNDS', {
    requested: formatUnits(units),
    available: formatUnits(user.availableUnits),
    currency: user.currency,
  });
}

function guardLimit(units: bigint): void {
  if (units > balanceUnitsMax) throw new AppError('LIMIT_EXCEEDED', { balanceMax: formatUnits(balanceUnitsMax) });
}

function guardHeld(held: readonly Reservation[], { amount, exceeded }: Release | Deduct): void {
  const active = activeUnitsOf(held);
  if (active >= amount.units) return;
  throw new AppError(exceeded, {
    requested: formatUnits(amount.units),
    reserved: formatUnits(active),
    currency: amount.currency,
  });
}

// The message that leads here was sent because the money is in escrow; if it is not, a person must look.
function guardEscrow(escrow: Account, units: bigint): void {
  if (escrow.availableUnits < units) throw new RangeError(`escrow of ${escrow.owner} holds less than is to be paid out`);
}

function account(book: Book, ref: AccountRef): Account {
  const found = book.accounts.get(accountKey(ref));
  if (found === undefined) throw new RangeError(`account ${accountKey(ref)} is not in the book`);
  return found;
}

function reservationsOf(book: Book, user: Account, hold: Hold): readonly Reservation[] {
  return book.reservations.get(holdKey(user.id, hold)) ?? [];
}
