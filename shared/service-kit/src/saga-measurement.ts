import { allSagas, allSequences } from '@holdfast/contracts/sagas';
import type { ServiceName } from '@holdfast/contracts/services';
import type { Log } from '@holdfast/kernel/context';
import { runOutcomes, type EndedRun } from '@holdfast/sagas';
import { type SagaRuns } from '@holdfast/sagas/runs';
import {
  defineCounter,
  defineGauge,
  defineHistogram,
  withValues,
  type MetricDeclaration,
  type Metrics,
} from '@holdfast/observability';
import { measureEveryMs, type Job } from '@holdfast/work';

const saga = 'the sagas that the service begins';
const runsEnded = defineCounter(
  'holdfast_saga_runs_ended_total',
  'Saga runs that have ended: refused by a rule, compensated after a failure, aborted at the deadline, or resolved by an operator after the retries were stopped',
  { saga, outcome: runOutcomes },
);
const runDuration = defineHistogram('holdfast_saga_run_duration_seconds', 'Time from the begin of a saga run to its end', {
  labels: { saga, outcome: runOutcomes },
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
});
const runsOpen = defineGauge('holdfast_saga_runs_open', 'Saga runs that have not ended', { saga });
const oldestAge = defineGauge('holdfast_saga_oldest_run_age_seconds', 'Age of the oldest saga run that has not ended', { saga });
const sagasStalled = defineGauge('holdfast_sagas_stalled', 'Open saga runs older than SAGA_STALLED_AFTER_MS');
const sagasPastNoReturn = defineGauge(
  'holdfast_sagas_stalled_past_no_return',
  'Stalled saga runs past their point of no return; an operator must look',
);
const sagasStopped = defineGauge('holdfast_sagas_stopped', 'Open saga runs that no retry helps; an operator must look');

/** The metrics of a service that begins sagas. */
export function sagaMetrics(service: ServiceName): readonly MetricDeclaration[] {
  const begun = { saga: sagasBegunBy(service) };
  return [
    withValues(runsEnded, begun),
    withValues(runDuration, begun),
    withValues(runsOpen, begun),
    withValues(oldestAge, begun),
    sagasStalled,
    sagasPastNoReturn,
    sagasStopped,
  ];
}

/** The first step of a saga begins it; a sequence is begun by the service of its first saga. */
function sagasBegunBy(service: ServiceName): readonly string[] {
  const own = allSagas.filter(({ steps }) => Object.values(steps)[0]?.by === service).map(({ name }) => name);
  return [...own, ...allSequences.filter(({ sagas }) => own.includes(sagas[0] ?? '')).map(({ name }) => name)];
}

/** Counts and measures the runs that this process ends. */
export function createRunMeasurement(metrics: Metrics): (run: EndedRun) => void {
  const ended = metrics.counter(runsEnded);
  const durations = metrics.histogram(runDuration);
  return ({ saga: name, outcome, durationSeconds }) => {
    ended.inc({ saga: name, outcome });
    durations.observe({ saga: name, outcome }, durationSeconds);
  };
}

/** Measures the open runs of a service: how many, and the age of the oldest one. */
export function openRunsMeasurement(
  { countOpen }: Pick<SagaRuns, 'countOpen'>,
  { service, metrics }: { readonly service: ServiceName; readonly metrics: Metrics },
): Job {
  const open = metrics.gauge(runsOpen);
  const oldest = metrics.gauge(oldestAge);
  const begun = sagasBegunBy(service);
  return {
    name: 'measure-open-runs',
    everyMs: measureEveryMs,
    isMeasurement: true,
    run: async () => {
      const counted = new Map((await countOpen()).map((runs) => [runs.saga, runs]));
      for (const name of begun) {
        open.set({ saga: name }, counted.get(name)?.count ?? 0);
        oldest.set({ saga: name }, counted.get(name)?.oldestSeconds ?? 0);
      }
    },
  };
}

/** A stalled saga run, as it is counted and reported. */
export type StalledRun = {
  readonly id: string;
  readonly saga: string;
  readonly ageMs: number;
  readonly isPastPointOfNoReturn: boolean;
  readonly retryStoppedReason: string | null;
};

type Options<Run> = {
  readonly metrics: Metrics;
  readonly log: Pick<Log, 'error'>;
  /** What the run acts on, for the log. */
  readonly subjectOf: (run: Run) => Readonly<Record<string, unknown>>;
};

/**
 * Gauges of the stalled saga runs of a service. A run past its point of no return is logged as an error, once for as long as it is
 * listed.
 */
export function createSagaMeasurement<Run extends StalledRun>({ metrics, log, subjectOf }: Options<Run>) {
  const stalled = metrics.gauge(sagasStalled);
  const pastNoReturn = metrics.gauge(sagasPastNoReturn);
  const stopped = metrics.gauge(sagasStopped);
  let logged: ReadonlySet<string> = new Set();
  return (runs: readonly Run[]): void => {
    const past = runs.filter(({ isPastPointOfNoReturn }) => isPastPointOfNoReturn);
    stalled.set(runs.length);
    pastNoReturn.set(past.length);
    stopped.set(runs.filter(({ retryStoppedReason }) => retryStoppedReason !== null).length);
    for (const run of past) {
      if (logged.has(run.id)) continue;
      const about = { sagaRunId: run.id, saga: run.saga, ...subjectOf(run), ageMs: run.ageMs };
      log.error(about, 'stalled saga past its point of no return: an operator must look');
    }
    logged = new Set(past.map(({ id }) => id));
  };
}
