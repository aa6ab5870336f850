import type { ReconciliationReportRecord, ReportPart } from '@holdfast/contracts/http';
import { toEpochMs, type Context, type Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { baseCurrency, custodyAssets, formatUnits, type Currency } from '@holdfast/kernel/money';
import type { ReportContext } from './compare-payments.js';
import type { Deps } from './ports.js';
import { reconcileCustody } from './reconcile-custody.js';
import { reconcileDeposits } from './reconcile-deposits.js';
import { reconcilePayments } from './reconcile-payments.js';
import { Unavailable } from './unavailable.js';

export type Reports = { readonly reports: ReconciliationReportRecord[] };

/** Reconciles for a request. A repeated request returns the reports of the first one. */
export function createReports(deps: Deps, ctx: Context): Promise<Reports> {
  const signal = AbortSignal.timeout(deps.settings.timeoutMs);
  return deps.reports
    .exclusively(signal, async () => {
      const reports = await makeReports(deps, { ...ctx, signal: inTimeFor(signal, deps.settings.timeoutMs) });
      return deps.perform({ name: 'create-reports', input: {}, ctx }, (tx) => {
        tx.reports.insert(reports);
        return Promise.resolve({ reports });
      });
    })
    .catch((error: unknown) => {
      throw signal.aborted ? new AppError('PROVIDER_TIMEOUT', {}, { cause: error }) : error;
    });
}

/** What is not read by then counts as unavailable, so that the other currencies are reported in time. */
const readShare = 0.7;

function inTimeFor(signal: AbortSignal, timeoutMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs * readShare)]);
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
  const [payments, custody] = await Promise.all([
    compared([baseCurrency], async () => ({ totals: [{ ...(await reconcilePayments(deps, ctx)), networkUnits: 0n }] }), ctx),
    compared(
      custodyAssets,
      async () => {
        const { totals, ledger } = await reconcileCustody(deps, ctx);
        await reconcileDeposits(deps, ctx);
        return { ledger, totals: totals.map(({ asset: _, ...each }) => ({ ...each, providerUnits: 0n })) };
      },
      ctx,
    ),
  ]);
  const openCases = new Map((await deps.cases.countUnresolved()).map(({ currency, count }) => [currency, count]));
  const reports = [...payments, ...custody].map((each) => toReport(deps, each, openCases.get(each.currency) ?? 0));
  deps.reports.measure(reports, deps.clock.now());
  logDifferences(reports, ctx.log);
  return reports;
}

type Totals = { readonly journalUnits: bigint; readonly providerUnits: bigint; readonly networkUnits: bigint };

type Compared = { readonly currency: Currency } & (
  | { readonly totals: Totals; readonly ledger: number | null }
 | { readonly totals: undefined; readonly ledger: null; readonly unavailable: ReportPart }
);

/** Each currency is reported on its own: what cannot be read fails none of the others. */
async function compared(
  currencies: readonly Currency[],
  compare: () => Promise<{ readonly totals: readonly Totals[]; readonly ledger?: number | null }>,
  { log, signal }: ReportContext,
): Promise<readonly Compared[]> {
  try {
    const { totals, ledger = null } = await compare();
    return currencies.map((currency, index) => ({ currency, ledger, totals: totals[index] ?? nothing }));
  } catch (error) {
    const unavailable = error instanceof Unavailable ? error.part : slowest(currencies);
    if (!(error instanceof Unavailable) && !signal.aborted) throw error;
    log.warn({ err: error, currencies, unavailable }, 'reconciliation could not read a source');
    return currencies.map((currency) => ({ currency, totals: undefined, ledger: null, unavailable }));
  }
}

/** What was still being read when the time was over. */
function slowest(currencies: readonly Currency[]): ReportPart {
  return currencies.includes(baseCurrency) ? 'paymentProvider' : 'ledgerNetwork';
}

const nothing: Totals = { journalUnits: 0n, providerUnits: 0n, networkUnits: 0n };

function toReport({ newId, clock }: Deps, found: Compared, openCases: number): ReconciliationReportRecord {
  const of = { id: newId('rcr'), at: clock.now(), ledger: found.ledger, currency: found.currency, openCases };
  if (found.totals === undefined)
    return { ...of, unavailable: [found.unavailable], journal: null, paymentProvider: null, ledgerNetwork: null, difference: null };
  const { journalUnits, providerUnits, networkUnits } = found.totals;
  return {
    ...of,
    unavailable: [],
    journal: formatUnits(journalUnits),
    paymentProvider: formatUnits(providerUnits),
    ledgerNetwork: formatUnits(networkUnits),
    difference: formatUnits(providerUnits + networkUnits - journalUnits),
  };
}

function logDifferences(reports: readonly ReconciliationReportRecord[], log: Log): void {
  for (const { currency, journal, paymentProvider, ledgerNetwork, difference, openCases } of reports) {
    if (difference === null) continue;
    const facts = { currency, journal, paymentProvider, ledgerNetwork, difference, openCases };
    if (difference === formatUnits(0n)) log.info(facts, 'reconciled');
    else log.error(facts, 'reconciliation found a difference');
  }
}
