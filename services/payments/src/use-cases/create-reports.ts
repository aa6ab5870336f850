import type { ReconciliationReportRecord, ReportPart } from '@holdfast/contracts/http';
import { toEpochMs, type Context, type Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { baseCurrency, currencies, formatUnits, type Currency } from '@holdfast/kernel/money';
import { backingOf } from '../domain/solvency.js';
import type { ReportContext } from './compare-payments.js';
import type { Deps } from './ports.js';
import { measureSolvency, type AssetSolvency, type ObservedProvider } from './measure-solvency.js';
import { reconcileCustody, type Custody } from './reconcile-custody.js';
import { reconcileDeposits } from './reconcile-deposits.js';
import { reconcilePayments, type PaymentTotals } from './reconcile-payments.js';
import { Unavailable } from './report-ports.js';

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
const readShare = 0.8;

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
    attempt('paymentProvider', () => reconcilePayments(deps, ctx), ctx),
    attempt(
      'ledgerNetwork',
      async () => {
        const compared = await reconcileCustody(deps, ctx);
        await reconcileDeposits(deps, ctx);
        return compared;
      },
      ctx,
    ),
  ]);
  const solvency = await attempt('journal', () => solvencyFrom(deps, { payments, custody }, ctx), ctx);
  const openCases = new Map((await deps.cases.countUnresolved()).map(({ currency, count }) => [currency, count]));
  const reports = currencies.map((currency) =>
    toReport(deps, { currency, payments, custody, solvency, openCases: openCases.get(currency) ?? 0 }),
  );
  deps.reports.measure(reports, deps.clock.now());
  logDifferences(reports, ctx.log);
  return reports;
}

/** What was read, or the source that could not be. */
type Attempted<Result> = { readonly found: Result } | { readonly found: undefined; readonly unavailable: ReportPart };

/** Each part is on its own: what cannot be read fails none of the others. `slow` is what was being read when the time was over. */
async function attempt<Result>(
  slow: ReportPart,
  read: () => Promise<Result>,
  { log, signal }: ReportContext,
): Promise<Attempted<Result>> {
  try {
    return { found: await Promise.race([read(), whenAborted(signal)]) };
  } catch (error) {
    if (!(error instanceof Unavailable) && !signal.aborted) throw error;
    const unavailable = error instanceof Unavailable ? error.part : slow;
    log.warn({ err: error, unavailable }, 'reconciliation could not read a source');
    return { found: undefined, unavailable };
  }
}

/** Calls of other services cannot be aborted, so nothing waits for them any longer. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error('the time of the report is over'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

type Parts = { readonly payments: Attempted<PaymentTotals>; readonly custody: Attempted<Custody> };

/** XLM is only on the network; what backs the dollars is at the payment provider, too. */
function solvencyFrom(deps: Deps, { payments, custody }: Parts, ctx: ReportContext): Promise<readonly AssetSolvency[]> {
  if (custody.found === undefined) throw new Unavailable(custody.unavailable, undefined);
  return measureSolvency(deps, { networkUnits: custody.found.differenceUnits, provider: providerOf(payments.found) }, ctx);
}

function providerOf(paid: PaymentTotals | undefined): ObservedProvider | undefined {
  if (paid?.balanceDifferenceUnits === undefined) return undefined;
  const { providerUnits, journalUnits, balanceDifferenceUnits, pendingPayouts } = paid;
  return { units: providerUnits - journalUnits + balanceDifferenceUnits, pendingPayouts };
}

type Found = Parts & {
  readonly currency: Currency;
  readonly solvency: Attempted<readonly AssetSolvency[]>;
  readonly openCases: number;
};

function toReport(
  { newId, clock }: Deps,
  { currency, payments, custody, solvency, openCases }: Found,
): ReconciliationReportRecord {
  const compared = currency === baseCurrency ? payments : custody;
  const missing = [compared, solvency].flatMap((part) => (part.found === undefined ? [part.unavailable] : []));
  const ofAsset = solvency.found?.find(({ asset }) => asset === backingOf(currency));
  if (solvency.found !== undefined && ofAsset === undefined) missing.push('paymentProvider');
  return {
    id: newId('rcr'),
    at: clock.now(),
    ledger: custody.found?.ledger ?? null,
    currency,
    ...totalsOf(currency, payments, custody),
    ...solvencyView(ofAsset),
    unavailable: [...new Set(missing)],
    openCases,
  };
}

function totalsOf(currency: Currency, { found: paid }: Parts['payments'], { found: held }: Parts['custody']) {
  const totals = currency === baseCurrency ? paid : held?.totals.find(({ asset }) => asset === currency);
  if (totals === undefined) return { journal: null, paymentProvider: null, ledgerNetwork: null, difference: null };
  const { journalUnits, providerUnits, networkUnits } = { providerUnits: 0n, networkUnits: 0n, ...totals };
  return {
    journal: formatUnits(journalUnits),
    paymentProvider: formatUnits(providerUnits),
    ledgerNetwork: formatUnits(networkUnits),
    difference: formatUnits(providerUnits + networkUnits - journalUnits),
  };
}

function solvencyView(found: AssetSolvency | undefined) {
  if (found === undefined)
    return { liabilities: null, assets: null, solvency: null, ownMoney: null, unexplained: null, inFlight: [] };
  return {
    liabilities: formatUnits(found.liabilitiesUnits),
    assets: formatUnits(found.assetsUnits),
    solvency: formatUnits(found.solvencyUnits),
    ownMoney: formatUnits(found.ownMoneyUnits),
    unexplained: formatUnits(found.unexplainedUnits),
    inFlight: [...found.inFlight],
  };
}

function logDifferences(reports: readonly ReconciliationReportRecord[], log: Log): void {
  for (const { id: _, at: __, inFlight, ...facts } of reports) {
    if (facts.difference === null) continue;
    const isRight = facts.difference === formatUnits(0n) && (facts.unexplained ?? formatUnits(0n)) === formatUnits(0n);
    if (isRight) log.info({ ...facts, inFlight: inFlight.length }, 'reconciled');
    else log.error({ ...facts, inFlight: inFlight.length }, 'reconciliation found a difference');
  }
}
