import type { ReconciliationReportRecord } from '@holdfast/contracts/http';
import { toEpochMs, type Context, type Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { baseCurrency, formatUnits, type Currency } from '@holdfast/kernel/money';
import type { ReportContext } from './compare-payments.js';
import type { Deps } from './ports.js';
import { reconcileCustody } from './reconcile-custody.js';
import { reconcileDeposits } from './reconcile-deposits.js';
import { reconcilePayments } from './reconcile-payments.js';

export type Reports = { readonly reports: ReconciliationReportRecord[] };

/** Reconciles for a request. A repeated request returns the reports of the first one. */
export function createReports(deps: Deps, ctx: Context): Promise<Reports> {
  const signal = AbortSignal.timeout(deps.settings.timeoutMs);
  return deps.reports
    .exclusively(signal, async () => {
      const reports = await makeReports(deps, { ...ctx, signal });
      return deps.perform({ name: 'create-reports', input: {}, ctx }, (tx) => {
        tx.reports.insert(reports);
        return Promise.resolve({ reports });
      });
    })
    .catch((error: unknown) => {
      throw signal.aborted ? new AppError('PROVIDER_TIMEOUT', {}, { cause: error }) : error;
    });
}

type Schedule = { readonly everyMs: number; readonly log: Log; readonly signal: AbortSignal };

/** The share of the period after which a report counts as due, because the jobs of the replicas do not run at the same time. */
const dueShare = 0.9;

/** Reconciles for the job, unless a replica or a request has done so within the period. */
export function createDueReports(deps: Deps, { everyMs, log, signal }: Schedule): Promise<void> {
  return deps.reports.exclusively(signal, async () => {
    const at = deps.clock.now();
    const lastAt = await deps.reports.lastAt();
    if (lastAt !== null && toEpochMs(at) - toEpochMs(lastAt) < everyMs * dueShare) return;
    const reports = await makeReports(deps, { requestId: 'reconciliation', at, log, signal });
    await deps.inTransaction((tx) => {
      tx.reports.insert(reports);
      return Promise.resolve();
    });
  });
}

async function makeReports(deps: Deps, ctx: ReportContext): Promise<ReconciliationReportRecord[]> {
  const payments = await reconcilePayments(deps, ctx);
  const custody = await reconcileCustody(deps, ctx);
  await reconcileDeposits(deps, ctx);
  const openCases = new Map((await deps.cases.countUnresolved()).map(({ currency, count }) => [currency, count]));
  const compared: readonly Compared[] = [
    { currency: baseCurrency, ...payments, networkUnits: 0n },
    ...custody.map(({ asset, ...totals }) => ({ currency: asset, ...totals, providerUnits: 0n })),
  ];
  const reports = compared.map((totals) => toReport(deps, totals, openCases.get(totals.currency) ?? 0));
  deps.reports.measure(reports, deps.clock.now());
  logDifferences(reports, ctx.log);
  return reports;
}

type Compared = {
  readonly currency: Currency;
  readonly journalUnits: bigint;
  readonly providerUnits: bigint;
  readonly networkUnits: bigint;
};

function toReport({ newId, clock }: Deps, totals: Compared, openCases: number): ReconciliationReportRecord {
  const { currency, journalUnits, providerUnits, networkUnits } = totals;
  return {
    id: newId('rcr'),
    at: clock.now(),
    currency,
    journal: formatUnits(journalUnits),
    paymentProvider: formatUnits(providerUnits),
    ledgerNetwork: formatUnits(networkUnits),
    difference: formatUnits(providerUnits + networkUnits - journalUnits),
    openCases,
  };
}

function logDifferences(reports: readonly ReconciliationReportRecord[], log: Log): void {
  for (const { currency, journal, paymentProvider, ledgerNetwork, difference, openCases } of reports) {
    const facts = { currency, journal, paymentProvider, ledgerNetwork, difference, openCases };
    if (difference === formatUnits(0n)) log.info(facts, 'reconciled');
    else log.error(facts, 'reconciliation found a difference');
  }
}
