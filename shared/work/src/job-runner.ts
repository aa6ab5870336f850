import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { Log } from '@holdfast/kernel/context';
import { defineCounter, defineGauge, withValues, type Metrics } from '@holdfast/observability';

/** Repeated work. Runs of a job never overlap. A failed run is logged and counted, and the next one runs as scheduled. */
export type Job = {
  readonly name: string;
  /** The longest time between two runs. */
  readonly everyMs: number;
  /** The signal is aborted at the time limit of a run and when the process stops. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /**
   * In how many milliseconds the next row is due; undefined if none is. The job sleeps until then. After `everyMs` it looks for rows
   * that another process has left, and runs only if one is due.
   */
  readonly nextDueInMs?: () => Promise<number | undefined>;
  readonly timeoutMs?: number;
};

/** Wakes up a job of this process: its next run starts now, or in so many milliseconds, if it is not due sooner. */
export type WakeJob = (name: string, inMs?: number) => void;

/** The one loop of a process for all its jobs. */
export type JobRunner = {
  readonly wake: WakeJob;
  readonly start: (jobs: readonly Job[]) => void;
  /** Aborts the runs and waits until they have ended. */
  readonly stop: () => Promise<void>;
};

const timeoutMsDefault = 60_000;
const firstDelayMsMax = 10_000;
/** A job that waits for due rows looks this soon for those that the process before it has left. */
const firstLookMsMax = 1_000;
/** A job that waits for due rows runs again this soon after a failure. */
const retryAfterMs = 1_000;
/** Due rows that another process holds just now must not make the loop spin. */
const pauseMsMin = 50;
/** A timer of Node waits at most this long; the loop then sleeps again. */
const sleepMsMax = 2 ** 31 - 1;

const name = 'the jobs of the service';
const jobRuns = defineCounter('holdfast_job_runs_total', 'Ended runs of a job', { name, outcome: ['done', 'failed'] });
const jobLastSuccess = defineGauge(
  'holdfast_job_last_success_timestamp_seconds',
  'When a run of the job last succeeded in this process; 0 before the first one',
  { name },
);

export const jobMetrics = [jobRuns, jobLastSuccess] as const;

type Scheduled = {
  readonly job: Job;
  nextAtMs: number;
  /** Whether a row is due then; else the job looks first. */
  isDue: boolean;
  running: Promise<void> | undefined;
};

type Options = { readonly log: Log; readonly metrics: Metrics };

type State = Options & {
  readonly stopping: AbortController;
  readonly jobs: Map<string, Scheduled>;
  /** Wake-ups before the start. */
  readonly wokenEarly: Set<string>;
  timer: NodeJS.Timeout | undefined;
};

export function createJobRunner(options: Options): JobRunner {
  const state: State = {
    ...options,
    stopping: new AbortController(),
    jobs: new Map(),
    wokenEarly: new Set(),
    timer: undefined,
  };
  setMaxListeners(0, state.stopping.signal); // each running job adds a listener
  return {
    wake: (name, inMs = 0) => wake(state, name, inMs),
    start: (jobs) => start(state, jobs),
    stop: async () => {
      state.stopping.abort(new Error('stopping'));
      clearTimeout(state.timer);
      await Promise.all([...state.jobs.values()].map(({ running }) => running));
    },
  };
}

function start(state: State, jobs: readonly Job[]): void {
  const names = jobs.map((job) => job.name);
  state.metrics.register(jobMetrics.map((declaration) => withValues(declaration, { name: names })));
  const now = performance.now();
  for (const job of jobs) {
    const delayMsMax = job.nextDueInMs === undefined ? firstDelayMsMax : firstLookMsMax;
    const nextAtMs = now + withJitter(Math.min(job.everyMs, delayMsMax), 1);
    state.jobs.set(job.name, { job, nextAtMs, isDue: false, running: undefined });
  }
  for (const name of state.wokenEarly) wake(state, name, 0);
  sleepUntilNext(state);
}

function wake(state: State, name: string, inMs: number): void {
  const scheduled = state.jobs.get(name);
  if (scheduled !== undefined) {
    schedule(scheduled, { inMs, isDue: true });
    sleepUntilNext(state);
  } else if (state.jobs.size === 0) state.wokenEarly.add(name);
  else throw new Error(`There is no job ${name}.`);
}

type Next = { readonly inMs: number; readonly isDue: boolean };

/** The earlier of two times counts, and a row that is due. */
function schedule(scheduled: Scheduled, { inMs, isDue }: Next): void {
  scheduled.nextAtMs = Math.min(scheduled.nextAtMs, performance.now() + inMs);
  scheduled.isDue ||= isDue;
}

/** Sleeps until the first job is due. A running job has its turn when its run has ended. */
function sleepUntilNext(state: State): void {
  clearTimeout(state.timer);
  if (state.stopping.signal.aborted) return;
  const waiting = [...state.jobs.values()].filter(({ running }) => running === undefined);
  if (waiting.length === 0) return;
  const inMs = Math.min(...waiting.map(({ nextAtMs }) => nextAtMs)) - performance.now();
  state.timer = setTimeout(() => runDue(state), Math.min(Math.max(inMs, 0), sleepMsMax));
}

function runDue(state: State): void {
  const now = performance.now();
  for (const scheduled of state.jobs.values()) {
    if (scheduled.running !== undefined || scheduled.nextAtMs > now) continue;
    const { job, isDue } = scheduled;
    scheduled.nextAtMs = Number.POSITIVE_INFINITY;
    scheduled.isDue = false;
    scheduled.running = runOnce(state, job, isDue).then((next) => {
      scheduled.running = undefined;
      // A wake-up during the run has set an earlier time.
      schedule(scheduled, next);
      sleepUntilNext(state);
    });
  }
  sleepUntilNext(state);
}

/** Returns when the job runs or looks next. */
async function runOnce({ stopping, log, metrics }: State, job: Job, isDue: boolean): Promise<Next> {
  const startedAt = performance.now();
  const laterMs = withJitter(job.everyMs, 0.1);
  try {
    const dueInMs = await runIfDue(job, isDue, stopping.signal);
    metrics.counter(jobRuns).inc({ name: job.name, outcome: 'done' });
    metrics.gauge(jobLastSuccess).setToCurrentTime({ name: job.name });
    if (dueInMs === undefined || dueInMs > laterMs) return { inMs: laterMs, isDue: false };
    return { inMs: Math.max(dueInMs, pauseMsMin), isDue: true };
  } catch (error) {
    if (!stopping.signal.aborted) {
      metrics.counter(jobRuns).inc({ name: job.name, outcome: 'failed' });
      log.error({ job: job.name, durationMs: Math.round(performance.now() - startedAt), error }, 'job failed');
    }
    return { inMs: job.nextDueInMs === undefined ? laterMs : Math.min(retryAfterMs, laterMs), isDue: true };
  }
}

/** Returns in how many milliseconds the next row is due; undefined if none is. */
async function runIfDue(job: Job, isDue: boolean, stopping: AbortSignal): Promise<number | undefined> {
  if (!isDue && job.nextDueInMs !== undefined) {
    const dueInMs = await job.nextDueInMs();
    if (dueInMs === undefined || dueInMs > 0) return dueInMs;
  }
  await job.run(AbortSignal.any([stopping, AbortSignal.timeout(job.timeoutMs ?? timeoutMsDefault)]));
  return stopping.aborted ? undefined : job.nextDueInMs?.();
}

/** Spreads the runs of replicas that were started at the same time. `share` is the random part of the time, from 0 to 1. */
function withJitter(ms: number, share: number): number {
  return ms - randomInt(Math.floor(ms * share) + 1);
}
