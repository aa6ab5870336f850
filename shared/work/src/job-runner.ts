import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdfast/kernel/context';
import { defineCounter, defineGauge, withValues, type Metrics } from '@holdfast/observability';

/** Periodic work. Runs of a job never overlap. A failed run is logged and counted, and the next one runs as scheduled. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** The signal is aborted at the time limit of a run and when the process stops. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly timeoutMs?: number;
};

export type JobRunner = { readonly start: () => void; readonly stop: () => Promise<void> };

const timeoutMsDefault = 60_000;
const firstDelayMsMax = 10_000;

const name = 'the jobs of the service';
const jobRuns = defineCounter('holdfast_job_runs_total', 'Ended runs of a job', { name, outcome: ['done', 'failed'] });
const jobLastSuccess = defineGauge(
  'holdfast_job_last_success_timestamp_seconds',
  'When a run of the job last succeeded in this process; 0 before the first one',
  { name },
);

export const jobMetrics = [jobRuns, jobLastSuccess] as const;

/** Runs each job repeatedly and independently of the others until `stop`. */
export function createJobRunner(
  jobs: readonly Job[],
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): JobRunner {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // each sleeping job adds a listener
  const names = jobs.map((job) => job.name);
  metrics.register(jobMetrics.map((declaration) => withValues(declaration, { name: names })));
  const runs = metrics.counter(jobRuns);
  const lastSuccess = metrics.gauge(jobLastSuccess);
  let loops: readonly Promise<void>[] = [];

  const runOnce = async (job: Job): Promise<void> => {
    const startedAt = performance.now();
    const timeoutMs = job.timeoutMs ?? timeoutMsDefault;
    try {
      await job.run(AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]));
      runs.inc({ name: job.name, outcome: 'done' });
      lastSuccess.setToCurrentTime({ name: job.name });
    } catch (error) {
      if (stopping.signal.aborted) return;
      runs.inc({ name: job.name, outcome: 'failed' });
      log.error({ job: job.name, durationMs: Math.round(performance.now() - startedAt), error }, 'job failed');
    }
  };

  const loop = async (job: Job): Promise<void> => {
    await sleep(withJitter(Math.min(job.everyMs, firstDelayMsMax), 1), stopping.signal);
    while (!stopping.signal.aborted) {
      await runOnce(job);
      await sleep(withJitter(job.everyMs, 0.1), stopping.signal);
    }
  };

  return {
    start: () => {
      loops = jobs.map(loop);
    },
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await Promise.all(loops);
    },
  };
}

/** Spreads the runs of replicas that were started at the same time. `share` is the random part of the time, from 0 to 1. */
function withJitter(ms: number, share: number): number {
  return ms - randomInt(Math.floor(ms * share) + 1);
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}
