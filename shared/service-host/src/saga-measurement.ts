import type { Log } from '@holdfast/kernel/context';
import type { Metrics } from '@holdfast/observability';

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
  const stalled = metrics.gauge('holdfast_sagas_stalled', 'Open saga runs older than SAGA_STALLED_AFTER_MS');
  const pastNoReturn = metrics.gauge(
    'holdfast_sagas_stalled_past_no_return',
    'Stalled saga runs past their point of no return; an operator must look',
  );
  const stopped = metrics.gauge('holdfast_sagas_stopped', 'Open saga runs that no retry helps; an operator must look');
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
