import type { Instant } from '@holdfast/kernel/context';
import type { Currency } from '@holdfast/kernel/money';
import type { Tx } from '@holdfast/postgres';
import { accountKey, isShared, type Account, type AccountKind, type AccountRef } from '../domain/accounts.js';
import { reservationsReadBy } from '../domain/instructions.js';
import { reservedForKey, type Reservation } from '../domain/reservations.js';
import type { CausedPosting } from './caused-posting.js';
import type { BatchFacts } from './decide-batch.js';
import type { AccountRow, ReservationRow } from './schema.js';
import { findSuspended, type SuspendedUserRow } from './sql/find-suspended.js';
import { loadManualReservations, loadReservations } from './sql/load-reservations.js';
import { lockAccounts, type LockedAccountRow } from './sql/lock-accounts.js';

/** A posting with its account ids. The first account is the one that it is about. */
export type ResolvedPosting = { readonly posting: CausedPosting; readonly accounts: readonly ResolvedAccount[] };

export type ResolvedAccount = { readonly ref: AccountRef; readonly id: bigint };

export type LockedBook = {
  readonly book: BatchFacts['book'];
  /** No transfer of the batch may be dated before it. */
  readonly earliestAt: Instant | undefined;
};

/**
 * Locks the accounts of the batch, then reads what its decisions depend on. The lock comes first, so that the reads are current.
 */
export async function readBook(tx: Tx, resolved: readonly ResolvedPosting[]): Promise<LockedBook> {
  const touched = resolved.flatMap(({ accounts }) => accounts.filter(({ ref }) => !isShared(ref)));
  const [rows, suspended, reservations] = await Promise.all([
    tx.query<LockedAccountRow>(lockAccounts, [[...new Set(touched.map(({ id }) => id))]]),
    readSuspended(tx, resolved),
    readReservations(tx, resolved),
  ]);
  const accounts = [...rows.map((row) => toAccount(row, suspended)), ...sharedSubjectsOf(resolved)];
  const book = { accounts: new Map(accounts.map((account) => [accountKey(account), account])), reservations };
  return { book, earliestAt: rows.map(({ earliestAt }) => earliestAt).reduce(later, undefined) };
}

/** The shared accounts that postings without a user are about. They have no running balance, so they are not locked. */
function sharedSubjectsOf(resolved: readonly ResolvedPosting[]): readonly Account[] {
  const subjects = resolved.flatMap(({ accounts }) => accounts.slice(0, 1).filter(({ ref }) => isShared(ref)));
  return subjects.map(({ ref, id }) => ({ ...ref, id, availableUnits: 0n, reservedUnits: 0n, version: 0, isSuspended: false }));
}

function later(one: Instant | undefined, other: Instant): Instant {
  return one === undefined || one < other ? other : one;
}

/** The ids of the shared accounts, by account key. */
export function sharedIdsOf(resolved: readonly ResolvedPosting[]): ReadonlyMap<string, bigint> {
  const shared = resolved.flatMap(({ accounts }) => accounts.filter(({ ref }) => isShared(ref)));
  return new Map(shared.map(({ ref, id }) => [accountKey(ref), id]));
}

/** Only a reserve instruction depends on whether its user is suspended. */
async function readSuspended(tx: Tx, resolved: readonly ResolvedPosting[]): Promise<ReadonlySet<string>> {
  const userIds = new Set<string>();
  for (const { posting } of resolved) {
    if (posting.instruction.does === 'reserve') userIds.add(posting.instruction.userId);
  }
  if (userIds.size === 0) return userIds;
  const rows = await tx.query<SuspendedUserRow>(findSuspended, [[...userIds]]);
  return new Set(rows.map(({ id }) => id));
}

async function readReservations(tx: Tx, resolved: readonly ResolvedPosting[]): Promise<Map<string, readonly Reservation[]>> {
  const [accountIds, subjectIds, manualIds] = [new Set<bigint>(), new Set<string>(), new Set<bigint>()];
  for (const { posting, accounts } of resolved) {
    const reservedFor = reservationsReadBy(posting.instruction);
    const accountId = accounts[0]?.id;
    if (reservedFor === undefined || accountId === undefined) continue;
    if (reservedFor.subjectId === null) manualIds.add(accountId);
    else {
      accountIds.add(accountId);
      subjectIds.add(reservedFor.subjectId);
    }
  }
  const found = await Promise.all([
    accountIds.size === 0 ? [] : tx.query<ReservationRow>(loadReservations, [[...accountIds], [...subjectIds]]),
    manualIds.size === 0 ? [] : tx.query<ReservationRow>(loadManualReservations, [[...manualIds]]),
  ]);
  return groupByHold(found.flat().map(toReservation));
}

function groupByHold(reservations: readonly Reservation[]): Map<string, readonly Reservation[]> {
  const grouped = new Map<string, Reservation[]>();
  for (const reservation of reservations) {
    const key = reservedForKey(reservation.accountId, reservation.reservedFor);
    const group = grouped.get(key);
    if (group === undefined) grouped.set(key, [reservation]);
    else group.push(reservation);
  }
  return grouped;
}

function toAccount(row: AccountRow, suspended: ReadonlySet<string>): Account {
  return {
    kind: row.kind as AccountKind,
    owner: row.owner,
    currency: row.currency as Currency,
    id: row.id,
    availableUnits: row.availableUnits,
    reservedUnits: row.reservedUnits,
    version: row.version,
    isSuspended: suspended.has(row.owner),
  };
}

function toReservation({ id, accountId, kind, subjectId, activeUnits, reason }: ReservationRow): Reservation {
  return { id, accountId, reservedFor: { kind, subjectId }, activeUnits, reason };
}
