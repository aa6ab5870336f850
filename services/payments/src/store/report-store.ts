import type { ReconciliationReportRecord } from '@holdfast/contracts/http';
import type { Leases } from '@holdfast/intents';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import { createdWithin, equals, insertMany, queryLists, queryPage, selectList, type Database } from '@holdfast/postgres';
import type { Instant } from '@holdfast/kernel/context';
import type { Deps } from '../use-cases/ports.js';
import { reportColumns, type ReportRow } from './schema.js';

const insertRows = insertMany({ name: 'insert-reports', table: 'reconciliation_reports', columns: reportColumns });

export function insertReports(reports: readonly ReconciliationReportRecord[]) {
  return insertRows(reports.map(toRow));
}

const lastReport = 'select max(created_at) as at from reconciliation_reports';

/** One process at a time makes reports. The lease only saves work: two reports at once are both right. */
const leaseName = 'reconciliation';

export function reportStore(
  { lists }: Pick<Database, 'lists'>,
  leases: Pick<Leases, 'acquire'>,
): Omit<Deps['reports'], 'measure'> {
  return {
    exclusively: async (signal, work) => {
      const lease = await leases.acquire([leaseName], signal);
      try {
        return await work();
      } finally {
        lease.release();
      }
    },
    lastAt: async () => (await lists.query<{ readonly at: Instant | null }>(lastReport)).rows[0]?.at ?? null,
    list: async (filter) => {
      const list = {
        columns: selectList(reportColumns, 'reconciliation_reports'),
        from: 'reconciliation_reports',
        keyset: ['created_at', 'id'],
        idColumn: 'id',
        scope: [],
        filters: [equals('currency', filter.currency), ...createdWithin('created_at', filter)],
      } as const;
      return (await queryPage<ReportRow>(queryLists(lists), list, filter))?.map(toReport);
    },
  };
}

/** A column has zero where the amount is unknown; `unavailable` tells the two apart. */
function toRow({ id, at, ledger, currency, openCases, unavailable, ...report }: ReconciliationReportRecord): ReportRow {
  return {
    id,
    ledger,
    currency,
    journalUnits: unitsOf(report.journal),
    paymentProviderUnits: unitsOf(report.paymentProvider),
    ledgerNetworkUnits: unitsOf(report.ledgerNetwork),
    unavailable,
    openCases,
    createdAt: at as Instant,
  };
}

function unitsOf(amount: string | null): bigint {
  return amount === null ? 0n : parseUnits(amount);
}

function toReport({ id, ledger, currency, unavailable, openCases, createdAt, ...units }: ReportRow): ReconciliationReportRecord {
  const { journalUnits, paymentProviderUnits, ledgerNetworkUnits } = units;
  const amountOf = (found: bigint): string | null => (unavailable.length > 0 ? null : formatUnits(found));
  return {
    id,
    at: createdAt,
    ledger,
    currency,
    unavailable,
    journal: amountOf(journalUnits),
    paymentProvider: amountOf(paymentProviderUnits),
    ledgerNetwork: amountOf(ledgerNetworkUnits),
    difference: amountOf(paymentProviderUnits + ledgerNetworkUnits - journalUnits),
    openCases,
  };
}
