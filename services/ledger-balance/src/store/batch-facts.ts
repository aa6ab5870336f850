import type { ReservationId } from '@holdfast/shared/ids';
import type { Currency } from '@holdfast/shared/money';
import type { Tx } from '@holdfast/shared/postgres';
import { accountKey, userAccount, type Account } from '../domain/accounts.js';
import { currencyOf, holdReadBy, lockedAccountsOf, usersOf } from '../domain/instructions.js';
import { holdKey, type HoldKind, type Reservation } from '../domain/reservations.js';
import type { Posting } from '../use-cases/ports.js';
import type { Located } from './account-directory.js';
import { arrayOf } from './arrays.js';
import { referenceKeyOf } from './batch-rows.js';
import type { BatchFacts } from './decide-batch.js';
import { toRepeat, type Repeat } from './repeats.js';
import { findRepeats, type RepeatRow } from './sql/find-repeats.js';
import { loadReservations, type ReservationRow } from './sql/load-reservations.js';
import { lockAccounts, type LockedAccountRow } from './sql/lock-accounts.js';

type Batch = { readonly postings: readonly Posting[]; readonly located: ReadonlyMap<string, Located> };

/** Locks what the batch touches, then reads what its decisions depend on. */
export async function readBook(tx: Tx, { postings, located }: Batch): Promise<BatchFacts['book']> {
  const ids = new Set(
    postings.flatMap(({ instruction }) => lockedAccountsOf(instruction)).map((ref) => located.get(accountKey(ref))?.id),
  );
  const rows = await tx.query<LockedAccountRow>(lockAccounts, [`{${[...ids].join(',')}}`]);
  const accounts = new Map(rows.map(toAccount).map((account) => [accountKey(account), account]));
  return { accounts, reservations: await readReservations(tx, { postings, located }) };
}

/** Earlier transfers with the operation ids and references of this batch. Messages are known by the inbox instead. */
export async function readRepeats(tx: Tx, { postings, located }: Batch): Promise<ReadonlyMap<number, Repeat>> {
  const asked = postings.flatMap((posting, position) => {
    const cause = posting.message === undefined ? posting.cause : undefined;
    const referenceKey = referenceKeyOf(posting);
    if (cause === undefined && referenceKey === undefined) return [];
    return [{ position, accountId: subjectId(posting, located), cause, referenceKey }];
  });
  if (asked.length === 0) return new Map();
  const columns = [
    arrayOf(asked, 'position'),
    arrayOf(asked, 'accountId'),
    arrayOf(asked, 'cause'),
    arrayOf(asked, 'referenceKey'),
  ];
  const rows = await tx.query<RepeatRow>(findRepeats, columns);
  return new Map(rows.map((row) => [row.position, toRepeat(row)]));
}

async function readReservations(tx: Tx, { postings, located }: Batch): Promise<Map<string, readonly Reservation[]>> {
  const asked = postings.flatMap((posting) => {
    const hold = holdReadBy(posting.instruction);
    return hold === undefined ? [] : [{ accountId: subjectId(posting, located), ...hold }];
  });
  if (asked.length === 0) return new Map();
  const columns = [arrayOf(asked, 'accountId'), arrayOf(asked, 'kind'), arrayOf(asked, 'subjectId')];
  const rows = await tx.query<ReservationRow>(loadReservations, columns);
  return groupByHold(rows.map(toReservation));
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

function subjectId({ instruction }: Posting, located: ReadonlyMap<string, Located>): bigint | undefined {
  const [userId = ''] = usersOf(instruction);
  return located.get(accountKey(userAccount(userId, currencyOf(instruction))))?.id;
}

function toAccount(row: LockedAccountRow): Account {
  return {
    id: row.id,
    kind: row.kind,
    owner: row.owner,
    currency: row.currency as Currency,
    availableUnits: row.available_units,
    reservedUnits: row.reserved_units,
    version: row.version,
    isSuspended: row.status === 'SUSPENDED',
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
