import type { ReconciliationReportRecord } from '@holdfast/contracts/http';
import type { Leases } from '@holdfast/intents/leases';
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

/** A total has zero where it is unknown; `isCompared` is false then. */
function toRow(report: ReconciliationReportRecord): ReportRow {
  const { id, ledger, currency, inFlight, unavailable, openCases } = report;
  return {
    id,
    ledger,
    currency,
    journalUnits: unitsOf(report.journal) ?? 0n,
    paymentProviderUnits: unitsOf(report.paymentProvider) ?? 0n,
    ledgerNetworkUnits: unitsOf(report.ledgerNetwork) ?? 0n,
    liabilitiesUnits: unitsOf(report.liabilities),
    assetsUnits: unitsOf(report.assets),
    ownMoneyUnits: unitsOf(report.ownMoney),
    unexplainedUnits: unitsOf(report.unexplained),
    inFlight,
    unavailable,
    isCompared: report.difference !== null,
    openCases,
    createdAt: report.at as Instant,
  };
}

function unitsOf(amount: string | null): bigint | null {
  return amount === null ? null : parseUnits(amount);
}

function toReport(row: ReportRow): ReconciliationReportRecord {
  const { id, ledger, currency, inFlight, unavailable, openCases, createdAt } = row;
  const { journalUnits, paymentProviderUnits, ledgerNetworkUnits, liabilitiesUnits, assetsUnits } = row;
  const totalOf = (units: bigint): string | null => (row.isCompared ? formatUnits(units) : null);
  return {
    id,
    at: createdAt,
    ledger,
    currency,
    journal: totalOf(journalUnits),
    paymentProvider: totalOf(paymentProviderUnits),
    ledgerNetwork: totalOf(ledgerNetworkUnits),
    difference: totalOf(paymentProviderUnits + ledgerNetworkUnits - journalUnits),
    liabilities: amountOf(liabilitiesUnits),
    assets: amountOf(assetsUnits),
    solvency: liabilitiesUnits === null || assetsUnits === null ? null : formatUnits(assetsUnits - liabilitiesUnits),
    ownMoney: amountOf(row.ownMoneyUnits),
    unexplained: amountOf(row.unexplainedUnits),
    inFlight,
    unavailable,
    openCases,
  };
}

function amountOf(units: bigint | null): string | null {
  return units === null ? null : formatUnits(units);
}
