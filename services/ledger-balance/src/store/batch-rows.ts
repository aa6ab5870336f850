import type { Instant } from '@holdfast/shared/context';
import type { TransferId } from '@holdfast/shared/ids';
import { accountKey, type Account, type AccountRef } from '../domain/accounts.js';
import type { Leg, Transfer } from '../domain/decision.js';
import type { Reservation } from '../domain/reservations.js';
import type { Posting } from '../use-cases/ports.js';
import { arrayOf } from './arrays.js';

/** A transfer that is to be written, with the posting that led to it. */
export type Entry = {
  readonly id: TransferId;
  readonly posting: Posting;
  /** The first transfer of a posting carries its cause, the others count on from it. */
  readonly cause: string | undefined;
  readonly transfer: Transfer;
};

export type Batch = {
  readonly entries: readonly Entry[];
  /** As the batch leaves them. */
  readonly accounts: readonly Account[];
  readonly reservations: readonly Reservation[];
  /** By account key. */
  readonly sharedIds: ReadonlyMap<string, bigint>;
  readonly at: Instant;
};

/** The parameters of `writeBatch`, column by column. */
export function batchParameters({ entries, accounts, reservations, sharedIds, at }: Batch): readonly string[] {
  return [
    at,
    ...accountColumns(accounts),
    ...transferColumns(entries),
    ...reservationColumns(reservations),
    ...legColumns(entries, sharedIds),
  ];
}

/** Credits and debits with a reference are idempotent per user and reference, whatever else they are caused by. */
export function referenceKeyOf({ instruction, reference }: Posting): string | undefined {
  if (reference === undefined || (instruction.does !== 'credit' && instruction.does !== 'debit')) return undefined;
  return `${instruction.userId}/${reference}`;
}

function accountColumns(accounts: readonly Account[]): readonly string[] {
  return [
    arrayOf(accounts, ({ id }) => id),
    arrayOf(accounts, ({ availableUnits }) => availableUnits),
    arrayOf(accounts, ({ reservedUnits }) => reservedUnits),
    arrayOf(accounts, ({ version }) => version),
  ];
}

function transferColumns(entries: readonly Entry[]): readonly string[] {
  return [
    arrayOf(entries, ({ id }) => id),
    arrayOf(entries, ({ cause }) => cause),
    arrayOf(entries, ({ posting }) => posting.type),
    arrayOf(entries, ({ posting }) => posting.marketplaceId),
    arrayOf(entries, ({ transfer }) => transfer.user?.id),
    arrayOf(entries, ({ transfer }) => (transfer.user === null ? null : transfer.userUnits)),
    arrayOf(entries, ({ transfer }) => transfer.user?.availableUnits),
    arrayOf(entries, ({ transfer }) => transfer.user?.reservedUnits),
    arrayOf(entries, ({ transfer }) => transfer.user?.version),
    arrayOf(entries, ({ posting }) => posting.orderId),
    arrayOf(entries, ({ posting }) => posting.reference),
    arrayOf(entries, ({ posting }) => referenceKeyOf(posting)),
    arrayOf(entries, ({ posting }) => posting.description),
  ];
}

function reservationColumns(reservations: readonly Reservation[]): readonly string[] {
  return [
    arrayOf(reservations, ({ id }) => id),
    arrayOf(reservations, ({ accountId }) => accountId),
    arrayOf(reservations, ({ hold }) => hold.kind),
    arrayOf(reservations, ({ hold }) => hold.subjectId),
    arrayOf(reservations, ({ activeUnits }) => activeUnits),
    arrayOf(reservations, ({ reason }) => reason),
  ];
}

function legColumns(entries: readonly Entry[], sharedIds: ReadonlyMap<string, bigint>): readonly string[] {
  const transferIds: TransferId[] = [];
  const legs: Leg[] = [];
  for (const { id, transfer } of entries) {
    for (const leg of transfer.legs) {
      transferIds.push(id);
      legs.push(leg);
    }
  }
  const idOf = (account: Account | AccountRef): bigint | undefined =>
    'id' in account ? account.id : sharedIds.get(accountKey(account));
  return [
    arrayOf(transferIds, (id) => id),
    arrayOf(legs, ({ account }) => idOf(account)),
    arrayOf(legs, ({ part }) => part),
    arrayOf(legs, ({ units }) => units),
    arrayOf(legs, ({ balanceUnits }) => balanceUnits),
  ];
}
