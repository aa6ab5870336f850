import type { TransferType } from '@holdfast/contracts/http';
import { codeOf, type Database } from '@holdfast/postgres';
import type { LinePosition, PeriodSums, StatementReader, StatementTransfer } from '../use-cases/ports.js';
import type { TransferRow } from './schema.js';
import { closeAccount, limitLockWait } from './sql/close-account.js';
import { findStatementCursor, findStatementLines } from './sql/find-statement-lines.js';
import { sumPeriod, type PeriodRow } from './sql/sum-period.js';

const lockNotAvailable = '55P03';

export function statementStore({ lists }: Pick<Database, 'lists'>): StatementReader {
  return {
    sums: async (marketplaceId, { userId, currency, from, to }) => {
      const { rows } = await lists.query<PeriodRow>(sumPeriod, [marketplaceId, userId, currency, from, to]);
      return rows[0] === undefined ? undefined : toSums(rows[0]);
    },
    close: async (marketplaceId, { userId, currency, to }) => {
      try {
        await lists.inTransaction(async (tx) => {
          await tx.query(limitLockWait);
          await tx.query(closeAccount, [marketplaceId, userId, currency, to]);
        });
      } catch (error) {
        if (codeOf(error) !== lockNotAvailable) throw error;
      }
    },
    find: async (accountId, { from, to }, transferId) => {
      const { rows } = await lists.query<LinePosition>(findStatementCursor, [transferId, accountId, from, to]);
      return rows[0];
    },
    lines: async (accountId, { after, last, limit }) => {
      const values = [accountId, after.at, after.version, last.at, last.version, limit];
      const { rows } = await lists.query<TransferRow>(findStatementLines, values);
      return rows.map(toLine);
    },
  };
}

function toSums(row: PeriodRow): PeriodSums {
  return {
    accountId: row.accountId,
    opening: { availableUnits: row.openingAvailableUnits, reservedUnits: row.openingReservedUnits },
    closing: { availableUnits: row.closingAvailableUnits, reservedUnits: row.closingReservedUnits },
    closingVersion: row.closingVersion,
    inUnits: BigInt(row.inUnits),
    outUnits: BigInt(row.outUnits),
    feeUnits: BigInt(row.feeUnits),
    isClosed: row.isClosed,
  };
}

function toLine(row: TransferRow): StatementTransfer {
  return {
    id: row.id,
    type: row.type as TransferType,
    at: row.createdAt,
    version: row.accountVersion ?? 0,
    availableChangeUnits: row.availableChangeUnits ?? 0n,
    reservedChangeUnits: row.reservedChangeUnits ?? 0n,
    availableUnits: row.availableUnits ?? 0n,
    reservedUnits: row.reservedUnits ?? 0n,
    orderId: row.orderId,
    milestoneRef: row.milestoneRef,
    reference: row.reference,
    description: row.description,
  };
}
