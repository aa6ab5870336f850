import { allSagas, hasDeadline } from '@holdfast/contracts/sagas';
import { sagaStalledAfterMsOf } from '@holdfast/process/config';
import { abortOverdueRuns, resendDueCommands, type DrivenRuns, type OpenRunsQuery, type SagaOutcome } from '@holdfast/sagas';
import { createSagaRuns, type SagaRuns } from '@holdfast/sagas/runs';
import { dueWorkEveryMs, type Job } from '@holdfast/work';
import { createRunMeasurement, createSagaMeasurement, openRunsMeasurement, type StalledRun } from './saga-measurement.js';
import type { ServiceRuntime } from './service-definition.js';

type SagaSettings = Parameters<typeof sagaStalledAfterMsOf>[0] & { readonly SAGA_ABORT_AFTER_MS: number };
type Runtime = Pick<ServiceRuntime<SagaSettings>, 'config' | 'database' | 'broker' | 'log' | 'lifecycle' | 'metrics' | 'clock'>;

/** The longest delay between two retries of a saga run. */
const retryAfterMsMax = 15 * 60_000;

/** The saga runs of a service. Waiting requests get their response before it stops. */
export function openSagaRuns<Outcome extends SagaOutcome = SagaOutcome>(runtime: Runtime): SagaRuns<Outcome> {
  const { config, database, broker, log, lifecycle, metrics } = runtime;
  const { signal, stopGraceMs } = lifecycle;
  const sagaRuns = createSagaRuns<Outcome>({
    database,
    broker,
    log,
    retries: { firstAfterMs: sagaStalledAfterMsOf(config), afterMsMax: retryAfterMsMax },
    deadlines: { sagas: allSagas.filter(hasDeadline).map(({ name }) => name), afterMs: config.SAGA_ABORT_AFTER_MS },
    onEnded: createRunMeasurement(metrics),
    signal,
    stopGraceMs,
  });
  lifecycle.onStop('saga runs', () => {
    sagaRuns.stop();
    return Promise.resolve();
  });
  return sagaRuns;
}

export type SagaJobs<Run> = {
  readonly driven: DrivenRuns;
  readonly sagaRuns: Pick<SagaRuns, 'countOpen' | 'prune'>;
  /** The stalled runs as they are counted. */
  readonly stalledRuns: (query: OpenRunsQuery) => Promise<readonly Run[]>;
  /** What the run acts on, for the log. */
  readonly subjectOf: (run: Run) => Readonly<Record<string, unknown>>;
};

const measuredEveryMs = 15_000;
const measuredRunsMax = 10_000;
const pruneEveryMs = 3_600_000;

/**
 * The jobs about the saga runs of a service. With them, a lost message cannot stop a saga, and a participant that is gone cannot hold an
 * aggregate for ever. They also measure stalled runs and delete old ones.
 */
export function sagaJobs<Run extends StalledRun>(runtime: Runtime, jobs: SagaJobs<Run>): readonly Job[] {
  const { config, clock, log, metrics } = runtime;
  const { driven, sagaRuns, stalledRuns, subjectOf } = jobs;
  const stalledAfterMs = sagaStalledAfterMsOf(config);
  const measure = createSagaMeasurement({ metrics, log, subjectOf });
  return [
    {
      name: 'resend-commands',
      everyMs: Math.min(dueWorkEveryMs, stalledAfterMs), // so that a look finds every new run before it is due
      nextDueInMs: driven.runs.nextDueInMs,
      run: (signal) => resendDueCommands(driven, { at: clock.now(), log, signal }),
    },
    {
      name: 'abort-overdue-runs',
      everyMs: Math.min(dueWorkEveryMs, config.SAGA_ABORT_AFTER_MS),
      nextDueInMs: driven.runs.nextOverdueInMs,
      run: (signal) => abortOverdueRuns(driven, { at: clock.now(), log, signal }),
    },
    {
      name: 'measure-sagas',
      everyMs: measuredEveryMs,
      run: async () => measure(await stalledRuns({ olderThanMs: stalledAfterMs, limitMax: measuredRunsMax, at: clock.now() })),
    },
    openRunsMeasurement(sagaRuns, { service: driven.service, metrics }),
    {
      name: 'prune-saga-runs',
      everyMs: pruneEveryMs,
      run: async (signal) => {
        await sagaRuns.prune(signal);
      },
    },
  ];
}
