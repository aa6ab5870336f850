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

function toRow({ id, at, currency, openCases, ...report }: ReconciliationReportRecord): ReportRow {
  return {
    id,
    currency,
    journalUnits: parseUnits(report.journal),
    paymentProviderUnits: parseUnits(report.paymentProvider),
    ledgerNetworkUnits: parseUnits(report.ledgerNetwork),
    openCases,
    createdAt: at as Instant,
  };
}

function toReport({ id, currency, journalUnits, paymentProviderUnits, ledgerNetworkUnits, openCases, createdAt }: ReportRow) {
  return {
    id,
    at: createdAt,
    currency,
    journal: formatUnits(journalUnits),
    paymentProvider: formatUnits(paymentProviderUnits),
    ledgerNetwork: formatUnits(ledgerNetworkUnits),
    difference: formatUnits(paymentProviderUnits + ledgerNetworkUnits - journalUnits),
    openCases,
  };
}
