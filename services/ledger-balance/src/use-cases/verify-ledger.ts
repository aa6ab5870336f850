import type { Log } from '@holdfast/kernel/context';
import type { Deps, LedgerReport } from './ports.js';

/** Runs the ledger check. Each discrepancy is logged as an error, because an operator must look at it. */
export async function verifyLedger(deps: Pick<Deps, 'checkLedger'>, log: Log): Promise<LedgerReport> {
  const report = await deps.checkLedger();
  for (const discrepancy of report.discrepancies) log.error({ ...discrepancy }, 'ledger check found a discrepancy');
  return report;
}
