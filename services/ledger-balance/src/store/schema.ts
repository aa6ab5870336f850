import type { Instant } from '@holdfast/kernel/context';
import type { TransferType } from '@holdfast/contracts/http';
import type { ReservationId, TransferId } from '@holdfast/kernel/ids';
import { tableOf, insertMany, joinWrites, upsertMany } from '@holdfast/postgres';
import type { AccountKind, AccountPart } from '../domain/accounts.js';
import type { ReservationKind } from '../domain/reservations.js';

export type AccountRow = {
  readonly id: bigint;
  readonly kind: AccountKind | 'chain';
  readonly owner: string;
  readonly currency: string;
  readonly availableUnits: bigint;
  readonly reservedUnits: bigint;
  readonly version: number;
  readonly updatedAt: Instant;
};

export const accounts = tableOf<AccountRow>('accounts')({
  id: { column: 'id', type: 'bigint', isPrimary: true },
  kind: { column: 'kind', type: 'text' },
  owner: { column: 'owner', type: 'text' },
  currency: { column: 'currency', type: 'text' },
  availableUnits: { column: 'available_units', type: 'bigint' },
  reservedUnits: { column: 'reserved_units', type: 'bigint' },
  version: { column: 'version', type: 'integer' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
});

/** The accounts exist and are locked; `upsertMany` says why this is not a plain update. */
const updateAccounts = upsertMany({
  ...accounts,
  name: 'update-accounts',
  key: ['id'],
  set: ['availableUnits', 'reservedUnits', 'version', 'updatedAt'],
});

/** CUSTODY transfers are not shown by any route. */
export type JournalType = TransferType | 'CUSTODY';

export type TransferRow = {
  readonly id: TransferId;
  readonly cause: string;
  readonly type: JournalType;
  readonly marketplaceId: string;
  readonly accountId: bigint | null;
  /** What the transfer changed, and the balances after it. */
  readonly availableChangeUnits: bigint | null;
  readonly reservedChangeUnits: bigint | null;
  readonly availableUnits: bigint | null;
  readonly reservedUnits: bigint | null;
  readonly accountVersion: number | null;
  readonly orderId: string | null;
  readonly milestoneRef: string | null;
  /** What the platform kept of the money that the transfer pays to its user. */
  readonly feeUnits: bigint | null;
  readonly reference: string | null;
  readonly referenceKey: string | null;
  readonly description: string | null;
  readonly createdAt: Instant;
};

export const transfers = tableOf<TransferRow>('transfers')({
  id: { column: 'id', type: 'text', isPrimary: true },
  cause: { column: 'cause', type: 'text' },
  type: { column: 'type', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  accountId: { column: 'account_id', type: 'bigint' },
  availableChangeUnits: { column: 'available_change_units', type: 'bigint' },
  reservedChangeUnits: { column: 'reserved_change_units', type: 'bigint' },
  availableUnits: { column: 'available_units', type: 'bigint' },
  reservedUnits: { column: 'reserved_units', type: 'bigint' },
  accountVersion: { column: 'account_version', type: 'integer' },
  orderId: { column: 'order_id', type: 'text' },
  milestoneRef: { column: 'milestone_ref', type: 'text' },
  feeUnits: { column: 'fee_units', type: 'bigint' },
  reference: { column: 'reference', type: 'text' },
  referenceKey: { column: 'reference_key', type: 'text' },
  description: { column: 'description', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});

/** The columns of a transfer that concerns no user. */
export const noUser = {
  accountId: null,
  availableChangeUnits: null,
  reservedChangeUnits: null,
  availableUnits: null,
  reservedUnits: null,
  accountVersion: null,
  feeUnits: null,
} as const satisfies Partial<TransferRow>;

/** The change of the user's available balance; if that did not change, of the reserved one. Zero if no user is concerned. */
export function movedUnitsOf({ availableChangeUnits, reservedChangeUnits }: TransferRow): bigint {
  const available = availableChangeUnits ?? 0n;
  return available === 0n ? (reservedChangeUnits ?? 0n) : available;
}

const insertTransfers = insertMany({ ...transfers, name: 'insert-transfers' });

export type LegRow = {
  readonly transferId: TransferId;
  readonly accountId: bigint;
  readonly part: AccountPart;
  readonly units: bigint;
  readonly balanceUnits: bigint | null;
};

const legs = tableOf<LegRow>('legs')({
  transferId: { column: 'transfer_id', type: 'text' },
  accountId: { column: 'account_id', type: 'bigint' },
  part: { column: 'part', type: 'text' },
  units: { column: 'units', type: 'bigint' },
  balanceUnits: { column: 'balance_units', type: 'bigint' },
});

const insertLegs = insertMany({ ...legs, name: 'insert-legs' });

export type ReservationRow = {
  readonly id: ReservationId;
  readonly accountId: bigint;
  readonly kind: ReservationKind;
  readonly subjectId: string | null;
  readonly activeUnits: bigint;
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export const reservations = tableOf<ReservationRow>('reservations')({
  id: { column: 'id', type: 'text', isPrimary: true },
  accountId: { column: 'account_id', type: 'bigint' },
  kind: { column: 'kind', type: 'text' },
  subjectId: { column: 'subject_id', type: 'text' },
  activeUnits: { column: 'active_units', type: 'bigint' },
  reason: { column: 'reason', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
});

/** An existing reservation changes only its active units. */
const insertOrUpdateReservations = upsertMany({
  ...reservations,
  name: 'insert-or-update-reservations',
  key: ['id'],
  set: ['activeUnits', 'updatedAt'],
});

/** One statement for all writes of a batch. */
export const writePostings = joinWrites('write-postings', {
  accounts: updateAccounts,
  transfers: insertTransfers,
  legs: insertLegs,
  reservations: insertOrUpdateReservations,
});

export type CustodyBalanceRow = { readonly accountId: bigint; readonly units: bigint };

export const custodyBalances = tableOf<CustodyBalanceRow>('custody_balances')({
  accountId: { column: 'account_id', type: 'bigint', isPrimary: true },
  units: { column: 'units', type: 'bigint' },
});

/** Adds the units to the balances. The rows must be sorted by account, so that two batches cannot deadlock. */
const addToCustodyBalances = insertMany({
  ...custodyBalances,
  name: 'add-to-custody-balances',
  suffix: `on conflict (account_id) do update
  set units = custody_balances.units + excluded.units`,
});

export type RecentLegRow = { readonly ledger: number; readonly accountId: bigint; readonly units: bigint };

const recentLegs = tableOf<RecentLegRow>('recent_custody_legs')({
  ledger: { column: 'ledger', type: 'integer' },
  accountId: { column: 'account_id', type: 'bigint' },
  units: { column: 'units', type: 'bigint' },
});

const insertRecentLegs = insertMany({
  ...recentLegs,
  name: 'insert-recent-custody-legs',
});

export const writeCustody = joinWrites('write-custody', {
  transfers: insertTransfers,
  legs: insertLegs,
  balances: addToCustodyBalances,
  recent: insertRecentLegs,
});

/** The tables with a primary key. Legs are written and summed by own statements only. */
export const entities = [accounts, transfers, reservations, custodyBalances].map(({ entity }) => entity);
