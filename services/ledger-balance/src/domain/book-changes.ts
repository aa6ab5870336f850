import { accountKey, type Account, type AccountPart, type AccountRef } from './accounts.js';
import { reservedForKey, type ReservedFor, type Reservation } from './reservations.js';

/** The locked accounts and loaded reservations that a decision may read. Reservations are sorted oldest first. */
export type Book = {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly reservations: ReadonlyMap<string, readonly Reservation[]>;
};

/** One side of a transfer. The legs of a transfer sum to zero. */
export type Leg = {
  /** The account after the leg, if it has a balance. */
  readonly account: Account | AccountRef;
  readonly part: AccountPart;
  readonly units: bigint;
  /** The balance of this part after the leg. Null on shared accounts, which have no running balance. */
  readonly balanceUnits: bigint | null;
};

/** A change of a user's balance that is published as an event. */
export type BalanceChange = {
  readonly before: Account;
  readonly after: Account;
  readonly units: bigint;
} & (
  | { readonly kind: 'credited' | 'debited'; readonly counterpart: string; readonly counterpartId: string | undefined }
  | { readonly kind: 'reserved'; readonly reservedFor: ReservedFor }
  | { readonly kind: 'freed'; readonly reservedFor: ReservedFor; readonly reason: string }
);

/** One movement of money. It concerns at most one user. */
export type Transfer = {
  readonly legs: readonly Leg[];
  /** The user's account after the transfer. */
  readonly user: Account | null;
  /** What the platform kept of the money that this transfer pays to the user. A separate transfer moves it. */
  readonly feeUnits?: bigint;
};

/** What a transfer changed in one part of its user's balance. */
export function userUnitsOf({ legs, user }: Transfer, part: AccountPart): bigint {
  return legs.reduce((sum, leg) => (leg.account === user && leg.part === part ? sum + leg.units : sum), 0n);
}

/** What one instruction changes. Accounts and reservations are in their new state. */
export type BookChanges = {
  readonly transfers: readonly Transfer[];
  readonly accounts: readonly Account[];
  readonly reservations: readonly Reservation[];
  readonly balanceChanges: readonly BalanceChange[];
};

export const noChanges: BookChanges = { transfers: [], accounts: [], reservations: [], balanceChanges: [] };

/** Units may be negative. */
type UnitsChange = { readonly available?: bigint; readonly reserved?: bigint };

/** The version of a user's account counts its changes, because each one is published. */
export function changedUser(user: Account, { available = 0n, reserved = 0n }: UnitsChange): Account {
  return changed(user, user.availableUnits + available, user.reservedUnits + reserved, user.version + 1);
}

/** Changes of escrow accounts are not published, so the version stays. */
export function changedEscrow(escrow: Account, units: bigint): Account {
  return changed(escrow, escrow.availableUnits + units, escrow.reservedUnits, escrow.version);
}

// Without a spread, which costs several times as much in the innermost step of every posting.
function changed(account: Account, availableUnits: bigint, reservedUnits: bigint, version: number): Account {
  const { kind, owner, currency, id, isSuspended } = account;
  return { kind, owner, currency, id, availableUnits, reservedUnits, version, isSuspended };
}

/** The leg that changed a part of the account; `after` is the account after the change. */
export function legOf(after: Account, part: AccountPart, units: bigint): Leg {
  return { account: after, part, units, balanceUnits: part === 'available' ? after.availableUnits : after.reservedUnits };
}

export function sharedLegOf(account: AccountRef, units: bigint): Leg {
  return { account, part: 'available', units, balanceUnits: null };
}

/** Applies a decision to the working copy of the book, so that the next decision of the batch sees it. */
export function applyChanges(
  book: { readonly accounts: Map<string, Account>; readonly reservations: Map<string, readonly Reservation[]> },
  changes: BookChanges,
): void {
  for (const account of changes.accounts) book.accounts.set(accountKey(account), account);
  for (const reservation of changes.reservations) {
    const key = reservedForKey(reservation.accountId, reservation.reservedFor);
    const others = book.reservations.get(key) ?? [];
    const isKnown = others.some(({ id }) => id === reservation.id);
    book.reservations.set(
      key,
      isKnown ? others.map((other) => (other.id === reservation.id ? reservation : other)) : [...others, reservation],
    );
  }
}
