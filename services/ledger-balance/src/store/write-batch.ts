import type { Instant } from '@holdfast/kernel/context';
import type { Tx } from '@holdfast/postgres';
import { accountKey, type Account, type AccountRef } from '../domain/accounts.js';
import type { Reservation } from '../domain/reservations.js';
import type { BatchChanges, Entry } from './decide-batch.js';
import { writePostings, type AccountRow, type LegRow, type ReservationRow } from './schema.js';

export type WriteBatch = BatchChanges & {
  /** The ids of the shared accounts, by account key. */
  readonly sharedIds: ReadonlyMap<string, bigint>;
  readonly at: Instant;
};

/** Writes all changes of a batch with one statement. */
export function writeBatch(tx: Tx, { entries, accounts, reservations, sharedIds, at }: WriteBatch): void {
  if (entries.length === 0) return;
  tx.defer(
    writePostings({
      accounts: accounts.map((account) => toAccountRow(account, at)),
      transfers: entries.map(({ row }) => row),
      legs: entries.flatMap((entry) => toLegRows(entry, sharedIds)),
      reservations: reservations.map((reservation) => toReservationRow(reservation, at)),
    }),
  );
}

function toAccountRow({ kind, owner, currency, id, availableUnits, reservedUnits, version }: Account, at: Instant): AccountRow {
  return { kind, owner, currency, id, availableUnits, reservedUnits, version, updatedAt: at };
}

function toLegRows({ row, legs }: Entry, sharedIds: ReadonlyMap<string, bigint>): readonly LegRow[] {
  return legs.map(({ account, part, units, balanceUnits }) => {
    return { transferId: row.id, accountId: idOf(account, sharedIds), part, units, balanceUnits };
  });
}

function idOf(account: Account | AccountRef, sharedIds: ReadonlyMap<string, bigint>): bigint {
  const id = 'id' in account ? account.id : sharedIds.get(accountKey(account));
  if (id === undefined) throw new Error(`the account ${accountKey(account)} was not located`);
  return id;
}

function toReservationRow({ id, accountId, reservedFor, activeUnits, reason }: Reservation, at: Instant): ReservationRow {
  return {
    id,
    accountId,
    kind: reservedFor.kind,
    subjectId: reservedFor.subjectId,
    activeUnits,
    reason,
    createdAt: at,
    updatedAt: at,
  };
}
