import { openIntentsMeasurement, pruneIntents, type IntentStore } from '@holdfast/intents';
import { currencies } from '@holdfast/kernel/money';
import { openRuns } from '@holdfast/sagas';
import type { SagaRuns } from '@holdfast/sagas/runs';
import { sagaJobs, type ServiceRuntime } from '@holdfast/service-kit';
import { pruneIdempotentRequests } from '@holdfast/service-kit/idempotent-requests';
import { measureEveryMs, type Job } from '@holdfast/work';
import type { Settings } from '../config.js';
import * as declared from '../metrics.js';
import type { duePayments } from '../store/due-payments.js';
import { confirmDuePayins } from '../use-cases/confirm-payin.js';
import { createDueReports } from '../use-cases/create-reports.js';
import { intentKinds } from '../use-cases/intent-kinds.js';
import { drivenRuns } from '../use-cases/open-runs.js';
import { pollTopups } from '../use-cases/poll-topups.js';
import { pollWithdrawals } from '../use-cases/poll-withdrawals.js';
import type { Deps } from '../use-cases/ports.js';

const pruneEveryMs = 3_600_000;

type Runtime = ServiceRuntime<Settings>;

type JobDeps = {
  readonly deps: Deps;
  readonly sagaRuns: SagaRuns;
  readonly due: ReturnType<typeof duePayments>;
  readonly intents: IntentStore;
  readonly limits: { readonly pollEveryMs: number };
};

/** Time → use case. */
export function paymentJobs(runtime: Runtime, given: JobDeps): readonly Job[] {
  const { clock, database, metrics } = runtime;
  const { deps, sagaRuns, intents } = given;
  const driven = drivenRuns(deps);
  return [
    ...sagaJobs(runtime, {
      driven,
      sagaRuns,
      stalledRuns: (query) => openRuns(driven, query),
      subjectOf: ({ aggregateId }) => ({ aggregateId }),
    }),
    ...providerReads(runtime, given),
    {
      name: 'prune-intents',
      everyMs: pruneEveryMs,
      run: async (signal) => {
        await pruneIntents(database, signal);
      },
    },
    deps.emergencyStop.job,
    ...reconciliationJobs(runtime, deps),
    {
      name: 'prune-idempotent-requests',
      everyMs: pruneEveryMs,
      run: (signal) => pruneIdempotentRequests(database, clock.now(), signal),
    },
    openIntentsMeasurement(intents, { kinds: intentKinds, metrics }),
  ];
}

/** Payments whose status is read at the payment provider. */
function providerReads({ log }: Runtime, { deps, due, limits: { pollEveryMs: everyMs } }: JobDeps): readonly Job[] {
  const isConfirming = deps.settings.payinConfirmation !== undefined;
  return [
    {
      name: 'confirm-payins',
      everyMs,
      nextDueInMs: async () => (isConfirming ? due.nextConfirmation() : undefined),
      run: (signal) => confirmDuePayins(deps, { log, signal }),
    },
    { name: 'poll-topups', everyMs, nextDueInMs: due.nextTopupPoll, run: (signal) => pollTopups(deps, { log, signal }) },
    {
      name: 'poll-withdrawals',
      everyMs,
      nextDueInMs: due.nextWithdrawalPoll,
      run: (signal) => pollWithdrawals(deps, { log, signal }),
    },
  ];
}

const reportTimeoutMs = 10 * 60_000;
/** How often the job looks whether a report is due. */
const checksPerPeriod = 10;

function reconciliationJobs({ config, metrics, log }: Runtime, deps: Deps): readonly Job[] {
  const open = metrics.gauge(declared.casesOpen);
  const everyMs = config.RECONCILIATION_EVERY_MS;
  return [
    {
      name: 'measure-cases',
      everyMs: measureEveryMs,
      isMeasurement: true,
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
