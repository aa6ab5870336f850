import type { Instant } from '@holdfast/shared/context';
import type { ReservationId } from '@holdfast/shared/ids';
import type { Currency } from '@holdfast/shared/money';
import type { Tx } from '@holdfast/shared/postgres';
import { accountKey, isShared, type Account, type AccountRef } from '../domain/accounts.js';
import { holdReadBy } from '../domain/instructions.js';
import { holdKey, type HoldKind, type Reservation } from '../domain/reservations.js';
import type { Posting } from '../use-cases/ports.js';
import type { Located } from './account-directory.js';
import { arrayOf } from './arrays.js';
import { referenceKeyOf } from './batch-rows.js';
import type { BatchFacts } from './decide-batch.js';
import { toRepeat, type Repeat } from './repeats.js';
import { findRepeats, type RepeatRow } from './sql/find-repeats.js';
import { findSuspended, type SuspendedUserRow } from './sql/find-suspended.js';
import { loadManualReservations, loadReservations, type ReservationRow } from './sql/load-reservations.js';
import { makeAccounts } from './sql/make-accounts.js';
import { lockAccounts, lockAccountsAndEscrows, type LockedAccountRow } from './sql/lock-accounts.js';

/** A posting whose accounts are found; the first of them is that of the user it is about. */
export type Placed = { readonly posting: Posting; readonly accounts: readonly Located[] };

/** Locks what the batch touches and reads what its decisions depend on; all of it is asked for in one breath. */
export async function readBook(tx: Tx, placed: readonly Placed[], at: Instant): Promise<BatchFacts['book']> {
  const [rows, suspended, reservations] = await Promise.all([
    lockTouched(tx, placed, at),
    readSuspended(tx, placed),
    readReservations(tx, placed),
  ]);
  const accounts = new Map<string, Account>();
  for (const row of rows) {
    const account = toAccount(row, suspended);
    accounts.set(accountKey(account), account);
  }
  return { accounts, reservations };
}

/** Escrow accounts that were not met before are made first, if they are missing: nobody locks anything before that. */
function lockTouched(tx: Tx, placed: readonly Placed[], at: Instant): Promise<readonly LockedAccountRow[]> {
  const touched = [...accountsIn(placed)].filter(({ ref }) => !isShared(ref));
  const met = touched.filter(({ id }) => id !== null);
  const ids = arrayOf(met, ({ id }) => id);
  if (met.length === touched.length) return tx.query(lockAccounts, [ids]);
  const unmet = inOneOrder(touched.filter(({ id }) => id === null));
  const owners = arrayOf(unmet, ({ owner }) => owner);
  tx.defer(makeAccounts, ['escrow', owners, arrayOf(unmet, ({ currency }) => currency), at]);
  return tx.query(lockAccountsAndEscrows, [ids, owners]);
}

/** Each account once, in the order that everybody makes them in: two batches never wait for each other. */
function inOneOrder(accounts: readonly Located[]): readonly AccountRef[] {
  const refs = new Map(accounts.map(({ ref }) => [accountKey(ref), ref]));
  return [...refs.keys()].sort().flatMap((key) => refs.get(key) ?? []);
}

/** The escrow accounts that the batch has met for the first time. */
export function metEscrows(placed: readonly Placed[], { accounts }: BatchFacts['book']): readonly Located[] {
  const unmet = [...accountsIn(placed)].filter(({ id }) => id === null);
  return unmet.flatMap(({ ref, marketplaceId }) => {
    const account = accounts.get(accountKey(ref));
    return account === undefined ? [] : [{ ref, id: account.id, marketplaceId }];
  });
}

/** The ids of the accounts that everybody shares, by account key. */
export function sharedIdsOf(placed: readonly Placed[]): ReadonlyMap<string, bigint> {
  const shared = [...accountsIn(placed)].filter(({ ref }) => isShared(ref));
  return new Map(shared.flatMap(({ ref, id }) => (id === null ? [] : [[accountKey(ref), id]])));
}

function accountsIn(placed: readonly Placed[]): ReadonlySet<Located> {
  const found = new Set<Located>();
  for (const { accounts } of placed) for (const account of accounts) found.add(account);
  return found;
}

/** Earlier transfers with the operation ids and references of this batch. Messages are known by the inbox instead. */
export async function readRepeats(tx: Tx, placed: readonly Placed[]): Promise<ReadonlyMap<number, Repeat>> {
  const asked: Asked[] = [];
  for (const [position, { posting, accounts }] of placed.entries()) {
    const cause = posting.message === undefined ? posting.cause : undefined;
    const referenceKey = referenceKeyOf(posting);
    if (cause !== undefined || referenceKey !== undefined) {
      asked.push({ position, accountId: accounts[0]?.id, cause, referenceKey });
    }
  }
  if (asked.length === 0) return new Map();
  const rows = await tx.query<RepeatRow>(findRepeats, [
    arrayOf(asked, ({ position }) => position),
    arrayOf(asked, ({ accountId }) => accountId),
    arrayOf(asked, ({ cause }) => cause),
    arrayOf(asked, ({ referenceKey }) => referenceKey),
  ]);
  return new Map(rows.map((row) => [row.position, toRepeat(row)]));
}

type Asked = {
  readonly position: number;
  readonly accountId: bigint | null | undefined;
  readonly cause: string | undefined;
  readonly referenceKey: string | undefined;
};

/** Only reserving asks whether a user is suspended. */
async function readSuspended(tx: Tx, placed: readonly Placed[]): Promise<ReadonlySet<string>> {
  const userIds = new Set<string>();
  for (const { posting } of placed) {
    if (posting.instruction.does === 'reserve') userIds.add(posting.instruction.userId);
  }
  if (userIds.size === 0) return userIds;
  const rows = await tx.query<SuspendedUserRow>(findSuspended, [arrayOf([...userIds], (id) => id)]);
  return new Set(rows.map(({ id }) => id));
}

async function readReservations(tx: Tx, placed: readonly Placed[]): Promise<Map<string, readonly Reservation[]>> {
  const named: { readonly accountId: bigint | null | undefined; readonly subjectId: string }[] = [];
  const manual = new Set<bigint | null | undefined>();
  for (const { posting, accounts } of placed) {
    const hold = holdReadBy(posting.instruction);
    if (hold === undefined) continue;
    const accountId = accounts[0]?.id;
    if (hold.subjectId === null) manual.add(accountId);
    else named.push({ accountId, subjectId: hold.subjectId });
  }
  const found = await Promise.all([
    named.length === 0
      ? []
      : tx.query<ReservationRow>(loadReservations, [
          arrayOf(named, ({ subjectId }) => subjectId),
          arrayOf(named, ({ accountId }) => accountId),
        ]),
    manual.size === 0 ? [] : tx.query<ReservationRow>(loadManualReservations, [arrayOf([...manual], (id) => id)]),
  ]);
  return groupByHold(found.flat().map(toReservation));
}

function groupByHold(reservations: readonly Reservation[]): Map<string, readonly Reservation[]> {
  const grouped = new Map<string, Reservation[]>();
  for (const reservation of reservations) {
    const key = holdKey(reservation.accountId, reservation.hold);
    const group = grouped.get(key);
    if (group === undefined) grouped.set(key, [reservation]);
    else group.push(reservation);
  }
  return grouped;
}

function toAccount(row: LockedAccountRow, suspended: ReadonlySet<string>): Account {
  return {
    kind: row.kind,
    owner: row.owner,
    currency: row.currency as Currency,
    id: row.id,
    availableUnits: row.available_units,
    reservedUnits: row.reserved_units,
    version: row.version,
    isSuspended: suspended.has(row.owner),
  };
}

function toReservation(row: ReservationRow): Reservation {
  return {
    id: row.id as ReservationId,
    accountId: row.account_id,
    hold: { kind: row.kind as HoldKind, subjectId: row.subject_id },
    activeUnits: row.active_units,
    reason: row.reason,
  };
}
