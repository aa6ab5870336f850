import { createServiceClient } from '@holdfast/http/service-client';
import { createLeases } from '@holdfast/intents/leases';
import { toEpochMs } from '@holdfast/kernel/context';
import { currencies, parseUnits } from '@holdfast/kernel/money';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Job } from '@holdfast/work';
import type { Settings } from './config.js';
import * as declared from './metrics.js';
import { createBooksClient } from './providers/books-client.js';
import { bookingStore } from './store/booking-store.js';
import { caseStore } from './store/case-store.js';
import { reportStore } from './store/report-store.js';
import { createDueReports } from './use-cases/create-reports.js';
import type { Deps } from './use-cases/ports.js';

/** The ledger network and a large journal take longer than a call between services. */
const booksTimeoutMs = 30_000;

/** The stores and clients of cases and reports. */
export function reconciliationDeps(runtime: ServiceRuntime<Settings>): Pick<Deps, 'cases' | 'bookings' | 'books' | 'reports'> {
  const { config, database, lifecycle, signer } = runtime;
  const client = (to: 'ledger-balance' | 'escrow-adapter', baseUrl: string) => {
    const created = createServiceClient({ from: 'payments', to, baseUrl, signer, timeoutMs: booksTimeoutMs });
    lifecycle.onStop(`${to} client of reconciliation`, created.close);
    return created;
  };
  const leases = createLeases({ database });
  lifecycle.onStop('lease of reconciliation', leases.stop);
  return {
    cases: caseStore(database),
    bookings: bookingStore(database),
    books: createBooksClient({
      ledger: client('ledger-balance', config.LEDGER_BALANCE_URL),
      adapter: client('escrow-adapter', config.ESCROW_ADAPTER_URL),
    }),
    reports: { ...reportStore(database, leases), measure: measureReports(runtime) },
  };
}

function measureReports({ metrics }: Pick<ServiceRuntime, 'metrics'>): Deps['reports']['measure'] {
  const difference = metrics.gauge(declared.reconciliationDifference);
  const reportedAt = metrics.gauge(declared.reportTimestamp);
  const solvency = metrics.gauge(declared.solvency);
  return (reports, at) => {
    for (const report of reports) {
      const { currency, difference: found } = report;
      if (found !== null) {
        difference.set({ currency }, Number(found));
        reportedAt.set({ currency }, toEpochMs(at) / 1_000);
      }
      const terms = { ...report, own_money: report.ownMoney };
      // USD has the figures of USDC.
      if (currency === 'USD') continue;
      for (const term of declared.solvencyTerms) if (terms[term] !== null) solvency.set({ currency, term }, Number(terms[term]));
    }
  };
}

export function caseApprovalUnitsOf({ CASE_APPROVAL_AMOUNT: amount }: Settings): bigint | undefined {
  return amount === undefined ? undefined : parseUnits(amount);
}

const measuredEveryMs = 15_000;
const reportTimeoutMs = 10 * 60_000;
/** How often the job looks whether a report is due. */
const checksPerPeriod = 10;

export function reconciliationJobs({ config, metrics, log }: ServiceRuntime<Settings>, deps: Deps): readonly Job[] {
  const open = metrics.gauge(declared.casesOpen);
  const everyMs = config.RECONCILIATION_EVERY_MS;
  return [
    {
      name: 'measure-cases',
      everyMs: measuredEveryMs,
      run: async () => {
        const counts = new Map((await deps.cases.countUnresolved()).map(({ currency, count }) => [currency, count]));
        for (const currency of currencies) open.set({ currency }, counts.get(currency) ?? 0);
      },
    },
    {
      name: 'reconcile',
      everyMs: Math.ceil(everyMs / checksPerPeriod),
      timeoutMs: reportTimeoutMs,
      run: (signal) => createDueReports(deps, { everyMs, log, signal }),
    },
  ];
}
