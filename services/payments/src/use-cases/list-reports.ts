import type { ReconciliationReportRecord } from '@holdfast/contracts/http';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { Deps, ReportFilter } from './ports.js';

/** The reports are about the whole platform, so only the master key sees them. */
export function listReports(deps: Deps, filter: ReportFilter): Promise<Page<ReconciliationReportRecord>> {
  return pageOf(filter.limit, deps.reports.list(filter));
}
