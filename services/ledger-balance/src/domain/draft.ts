import { accountKey, isShared, type Account, type AccountPart, type AccountRef } from './accounts.js';
import { holdKey, type Hold, type Reservation } from './reservations.js';

/** The locked accounts and loaded reservations that a decision may look at. Reservations stand oldest first. */
export type Book = {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly reservations: ReadonlyMap<string, readonly Reservation[]>;
};

/** One side of a transfer. The legs of a transfer sum to zero. */
export type Leg = {
  readonly account: AccountRef;
  readonly part: AccountPart;
  readonly units: bigint;
  /** What the leg leaves on this part; null on shared accounts, which carry no running balance. */
  readonly balanceUnits: bigint | null;
};

/** What the world is told about a user's balance. */
export type Fact = {
  readonly before: Account;
  readonly after: Account;
  readonly units: bigint;
} & (
  | { readonly tells: 'credited' | 'debited'; readonly counterpart: string; readonly counterpartId?: string }
  | { readonly tells: 'reserved'; readonly hold: Hold }
  | { readonly tells: 'released'; readonly hold: Hold; readonly reason: string }
);
type FactAbout = Fact extends infer F ? (F extends Fact ? Omit<F, 'before' | 'after'> : never) : never;

/** One movement of money: its legs sum to zero, and at most one user is concerned. */
export type Transfer = {
  readonly legs: readonly Leg[];
  /** The user's account as the transfer leaves it. */
  readonly user: Account | null;
  /** What it means to the user: what came to the available balance or left it, else what the reserved one gained or lost. */
  readonly userUnits: bigint;
};

/** What one instruction changes. Accounts and reservations stand here as they are afterwards. */
export type Decision = {
  readonly transfers: readonly Transfer[];
  readonly accounts: readonly Account[];
  readonly reservations: readonly Reservation[];
  readonly facts: readonly Fact[];
};

export type Move = {
  readonly from: AccountRef;
  readonly fromPart?: AccountPart;
  readonly to: AccountRef;
  readonly toPart?: AccountPart;
  readonly units: bigint;
};

/** Collects what an instruction changes, without touching the book. */
export type Draft = {
  readonly move: (move: Move) => void;
  /** Ends a transfer that concerns this user, after what is told of it. */
  readonly endTransfer: (user: Account | null) => void;
  readonly keep: (reservation: Reservation) => void;
  /** Tells of a user's account as the moves so far have left it. */
  readonly tell: (user: Account, fact: FactAbout) => void;
  readonly decision: () => Decision;
};

export function draftOn(book: Book): Draft {
  const accounts = new Map<string, Account>();
  const transfers: Transfer[] = [];
  let legs: Leg[] = [];
  const reservations: Reservation[] = [];
  const facts: Fact[] = [];

  function addLeg(ref: AccountRef, part: AccountPart, units: bigint): void {
    if (isShared(ref)) {
      legs.push({ account: ref, part, units, balanceUnits: null });
      return;
    }
    const after = withUnits(current(ref), part, units);
    accounts.set(accountKey(ref), after);
    legs.push({ account: ref, part, units, balanceUnits: part === 'available' ? after.availableUnits : after.reservedUnits });
  }

  function current(ref: AccountRef): Account {
    const found = accounts.get(accountKey(ref)) ?? book.accounts.get(accountKey(ref));
    if (found === undefined) throw new RangeError(`account ${accountKey(ref)} is not in the book`);
    return found;
  }

  return {
    move: ({ from, fromPart = 'available', to, toPart = 'available', units }) => {
      addLeg(from, fromPart, -units);
      addLeg(to, toPart, units);
    },
    keep: (reservation) => {
      reservations.push(reservation);
    },
    tell: (user, fact) => {
      const now = current(user);
      const after = withVersion(now, now.version + 1);
      accounts.set(accountKey(user), after);
      facts.push({ ...fact, before: user, after });
    },
    endTransfer: (user) => {
      transfers.push({ legs, user: user === null ? null : current(user), userUnits: user === null ? 0n : userUnitsOf(legs) });
      legs = [];
    },
    decision: () => ({ transfers, accounts: [...accounts.values()], reservations, facts }),
  };
}

/** The book after a decision, for the next one in line. Changes the maps of a working copy in place. */
export function applyDecision(
  book: { readonly accounts: Map<string, Account>; readonly reservations: Map<string, readonly Reservation[]> },
  decision: Decision,
): void {
  for (const account of decision.accounts) book.accounts.set(accountKey(account), account);
  for (const reservation of decision.reservations) {
    const key = holdKey(reservation.accountId, reservation.hold);
    const others = book.reservations.get(key) ?? [];
    const isKnown = others.some(({ id }) => id === reservation.id);
    book.reservations.set(
      key,
      isKnown ? others.map((other) => (other.id === reservation.id ? reservation : other)) : [...others, reservation],
    );
  }
}

function userUnitsOf(legs: readonly Leg[]): bigint {
  const ofUser = legs.filter(({ account }) => account.kind === 'user');
  return (ofUser.find(({ part }) => part === 'available') ?? ofUser[0])?.units ?? 0n;
}

// Copies are spelled out here and below: this is the innermost step of every posting, and a spread costs several times as much.
function withUnits(account: Account, part: AccountPart, units: bigint): Account {
  return {
    kind: account.kind,
    owner: account.owner,
    currency: account.currency,
    id: account.id,
    availableUnits: part === 'available' ? account.availableUnits + units : account.availableUnits,
    reservedUnits: part === 'reserved' ? account.reservedUnits + units : account.reservedUnits,
    version: account.version,
    isSuspended: account.isSuspended,
  };
}

function withVersion(account: Account, version: number): Account {
  return {
    kind: account.kind,
    owner: account.owner,
    currency: account.currency,
    id: account.id,
    availableUnits: account.availableUnits,
    reservedUnits: account.reservedUnits,
    version,
    isSuspended: account.isSuspended,
  };
}
