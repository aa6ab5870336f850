import type { Instant } from '@holdfast/shared/context';
import type { TransferId } from '@holdfast/shared/ids';
import { accountKey } from '../domain/accounts.js';
import type { Decision, Transfer } from '../domain/decision.js';
import type { Reservation } from '../domain/reservations.js';
import type { Posting } from '../use-cases/ports.js';
import type { Located } from './account-directory.js';
import { arrayOf } from './arrays.js';

/** A transfer that is to be written, with the posting that led to it. */
export type Entry = { readonly id: TransferId; readonly posting: Posting; readonly transfer: Transfer };

export type Batch = {
  readonly entries: readonly Entry[];
  readonly changes: readonly Decision[];
  readonly located: ReadonlyMap<string, Located>;
  readonly at: Instant;
};

/** The parameters of `writeBatch`, column by column. */
export function batchParameters({ entries, changes, located, at }: Batch): readonly string[] {
  const accounts = lastByKey(
    changes.flatMap((change) => change.accounts),
    accountKey,
  );
  const reservations = lastByKey(
    changes.flatMap((change) => change.reservations),
    ({ id }) => id,
  ).map(toReservationRow);
  const transfers = entries.map(toTransferRow);
  const legs = entries.flatMap((entry) => toLegRows(entry, located));
  return [
    at,
    ...columnsOf(accounts, ['id', 'availableUnits', 'reservedUnits', 'version']),
    ...columnsOf(transfers, [
      'id',
      'cause',
      'type',
      'marketplaceId',
      'accountId',
      'units',
      'availableUnits',
      'reservedUnits',
      'version',
    ]),
    ...columnsOf(transfers, ['orderId', 'reference', 'referenceKey', 'description']),
    ...columnsOf(reservations, ['id', 'accountId', 'kind', 'subjectId', 'activeUnits', 'reason']),
    ...columnsOf(legs, ['transferId', 'accountId', 'part', 'units', 'balanceUnits']),
  ];
}

/** Credits and debits with a reference are idempotent per user and reference, whatever else they are caused by. */
export function referenceKeyOf({ instruction, reference }: Posting): string | undefined {
  if (reference === undefined || (instruction.does !== 'credit' && instruction.does !== 'debit')) return undefined;
  return `${instruction.userId}/${reference}`;
}

function columnsOf<Row>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): readonly string[] {
  return columns.map((column) => arrayOf(rows, column));
}

/** A batch may change one row several times; what the last change left is what is written. */
function lastByKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

function toTransferRow({ id, posting, transfer }: Entry, index: number, entries: readonly Entry[]) {
  return {
    id,
    cause: causeOf(posting, index, entries),
    type: posting.type,
    marketplaceId: posting.marketplaceId,
    accountId: transfer.user?.id,
    units: transfer.user === null ? null : transfer.userUnits,
    availableUnits: transfer.user?.availableUnits,
    reservedUnits: transfer.user?.reservedUnits,
    version: transfer.user?.version,
    orderId: posting.orderId,
    reference: posting.reference,
    referenceKey: referenceKeyOf(posting),
    description: posting.description,
  };
}

/** The transfers of one posting stand side by side; the first one carries its cause, the others count on from it. */
function causeOf({ cause }: Posting, index: number, entries: readonly Entry[]): string | undefined {
  if (cause === undefined) return undefined;
  let nth = 0;
  while (entries[index - nth - 1]?.posting.cause === cause) nth += 1;
  return nth === 0 ? cause : `${cause}#${String(nth)}`;
}

function toReservationRow({ id, accountId, hold, activeUnits, reason }: Reservation) {
  return { id, accountId, kind: hold.kind, subjectId: hold.subjectId, activeUnits, reason };
}

function toLegRows({ id, transfer }: Entry, located: ReadonlyMap<string, Located>) {
  return transfer.legs.map(({ account, part, units, balanceUnits }) => ({
    transferId: id,
    accountId: located.get(accountKey(account))?.id,
    part,
    units,
    balanceUnits,
  }));
}
