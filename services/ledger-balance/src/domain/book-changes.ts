import { accountKey, type Account, type AccountPart, type AccountRef } from './accounts.js';
import { holdKey, type Hold, type Reservation } from './reservations.js';

/** The locked accounts and loaded reservations that a decision may look at. Reservations stand oldest first. */
export type Book = {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly reservations: ReadonlyMap<string, readonly Reservation[]>;
};

/** One side of a transfer. The legs of a transfer sum to zero. */
export type Leg = {
  /** As the leg leaves it, where the account carries a balance. */
  readonly account: Account | AccountRef;
  readonly part: AccountPart;
  readonly units: bigint;
  /** What the leg leaves on this part; null on shared accounts, which carry no running balance. */
  readonly balanceUnits: bigint | null;
};

/** What the world is told about a user's balance. */
export type BalanceChange = {
  readonly before: Account;
  readonly after: Account;
  readonly units: bigint;
} & (
  | { readonly kind: 'credited' | 'debited'; readonly counterpart: string; readonly counterpartId: string | undefined }
  | { readonly kind: 'reserved'; readonly hold: Hold }
  | { readonly kind: 'released'; readonly hold: Hold; readonly reason: string }
);

/** One movement of money: its legs sum to zero, and at most one user is concerned. */
export type Transfer = {
  readonly legs: readonly Leg[];
  /** The user's account as the transfer leaves it. */
  readonly user: Account | null;
  /** What it means to the user: what came to the available balance or left it, else what the reserved one gained or lost. */
  readonly userUnits: bigint;
};

/** What one instruction changes. Accounts and reservations stand here as they are afterwards. */
export type BookChanges = {
  readonly transfers: readonly Transfer[];
  readonly accounts: readonly Account[];
  readonly reservations: readonly Reservation[];
  readonly balanceChanges: readonly BalanceChange[];
};

export const noChanges: BookChanges = { transfers: [], accounts: [], reservations: [], balanceChanges: [] };

/** Units may be below zero. */
type UnitsChange = { readonly available?: bigint; readonly reserved?: bigint };

/** A user's account after a change that is told of: its version counts what is told. */
export function changedUser(user: Account, { available = 0n, reserved = 0n }: UnitsChange): Account {
  return changed(user, user.availableUnits + available, user.reservedUnits + reserved, user.version + 1);
}

/** Nobody is told of escrow accounts. */
export function changedEscrow(escrow: Account, units: bigint): Account {
  return changed(escrow, escrow.availableUnits + units, escrow.reservedUnits, escrow.version);
}

// Spelled out: this is the innermost step of every posting, and a spread costs several times as much.
function changed(account: Account, availableUnits: bigint, reservedUnits: bigint, version: number): Account {
  const { kind, owner, currency, id, isSuspended } = account;
  return { kind, owner, currency, id, availableUnits, reservedUnits, version, isSuspended };
}

/** The leg that led to an account as it is given. */
export function legOf(after: Account, part: AccountPart, units: bigint): Leg {
  return { account: after, part, units, balanceUnits: part === 'available' ? after.availableUnits : after.reservedUnits };
}

export function sharedLegOf(account: AccountRef, units: bigint): Leg {
  return { account, part: 'available', units, balanceUnits: null };
}

/** The book after a decision, for the next one in line. Changes the maps of a working copy in place. */
export function applyChanges(
  book: { readonly accounts: Map<string, Account>; readonly reservations: Map<string, readonly Reservation[]> },
  changes: BookChanges,
): void {
  for (const account of changes.accounts) book.accounts.set(accountKey(account), account);
  for (const reservation of changes.reservations) {
    const key = holdKey(reservation.accountId, reservation.hold);
    const others = book.reservations.get(key) ?? [];
    const isKnown = others.some(({ id }) => id === reservation.id);
    book.reservations.set(
      key,
      isKnown ? others.map((other) => (other.id === reservation.id ? reservation : other)) : [...others, reservation],
    );
  }
}
