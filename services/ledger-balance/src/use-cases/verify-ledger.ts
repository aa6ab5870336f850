import type { Log } from '@holdfast/kernel/context';
import type { Deps, LedgerReport } from './ports.js';

/** Checks the books against themselves. Every discrepancy is for a person to look at. */
export async function verifyLedger(deps: Pick<Deps, 'checkLedger'>, log: Log): Promise<LedgerReport> {
  const report = await deps.checkLedger();
  for (const discrepancy of report.discrepancies) log.error({ ...discrepancy }, 'ledger check found a discrepancy');
  return report;
}
