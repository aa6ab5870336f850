import type { ReconciliationReportRecord } from '@holdfast/contracts/http';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import { currencies } from '@holdfast/kernel/money';
import type { Deps, ReportFilter } from './ports.js';

/** The reports are about the whole platform, so only the master key sees them. */
export function listReports(deps: Deps, filter: ReportFilter): Promise<Page<ReconciliationReportRecord>> {
  return pageOf(filter.limit, deps.reports.list(filter));
}

/** The newest report of each currency that has one. */
export async function latestReports(deps: Deps): Promise<readonly ReconciliationReportRecord[]> {
  const newest = await Promise.all(currencies.map((currency) => deps.reports.list({ currency, limit: 1 })));
  return newest.flatMap((reports) => (reports ?? []).slice(0, 1));
}
