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
   * In how many milliseconds the next row is due, zero or less if one is due now; undefined if none is. The job sleeps until then, at
   * most `everyMs`. After a sleep of that length, and when the process starts, it runs only if a row is due: such a look costs one
   * statement.
   */
  readonly nextDueInMs?: () => Promise<number | undefined>;
  /** Due rows that this process cannot take just now, because another one is taking them, must not make the loop spin. */
  readonly pauseMsMin?: number;
  readonly timeoutMs?: number;
  /** Whether it only measures: then it runs before the metrics are served, at most once in `everyMs`, and at no other time. */
  readonly isMeasurement?: boolean;
};

/** The interval of a measurement. It is shorter than the interval of the scrapes, so that each scrape gets new values. */
export const measureEveryMs = 10_000;

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
/** A job that waits for due rows runs again this soon after a failure. */
const retryAfterMs = 1_000;
const pauseMsMinDefault = 50;
/** Looks that would follow within this share of their interval happen with the first one, because together they cost one statement. */
const lookEarlierShare = 0.25;
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
  /** Whether nothing has announced a due row: then the job looks before it runs. */
  isLook: boolean;
  running: Promise<void> | undefined;
};

/** When the next run starts. */
type Next = { readonly inMs: number; readonly isLook: boolean };

type Options = {
  readonly log: Log;
  readonly metrics?: Metrics;
  /** Jobs that wait for due rows look at least this often. For tests that wait for what another process has left. */
  readonly lookEveryMsMax?: number;
};

type State = Options & {
  readonly stopping: AbortController;
  readonly jobs: Map<string, Scheduled>;
  readonly measurements: Scheduled[];
  /** Wake-ups before the start. */
  readonly wokenEarly: Set<string>;
  timer: NodeJS.Timeout | undefined;
};

export function createJobRunner(options: Options): JobRunner {
  const state: State = {
    ...options,
    stopping: new AbortController(),
    jobs: new Map(),
    measurements: [],
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
      await Promise.all([...state.jobs.values(), ...state.measurements].flatMap(({ running }) => running ?? []));
    },
  };
}

function start(state: State, jobs: readonly Job[]): void {
  const names = jobs.map((job) => job.name);
  state.metrics?.register(jobMetrics.map((declaration) => withValues(declaration, { name: names })));
  const now = performance.now();
  for (const job of jobs.filter(({ isMeasurement }) => isMeasurement === true)) {
    const scheduled: Scheduled = { job, nextAtMs: now, isLook: false, running: undefined };
    state.measurements.push(scheduled);
    state.metrics?.beforeServed(() => measureIfOld(state, scheduled));
  }
  for (const job of jobs.filter(({ isMeasurement }) => isMeasurement !== true)) {
    // What a dead process left must not wait for the interval.
    const inMs = job.nextDueInMs === undefined ? withJitter(Math.min(job.everyMs, firstDelayMsMax), 1) : 0;
    state.jobs.set(job.name, { job, nextAtMs: now + inMs, isLook: true, running: undefined });
  }
  for (const name of state.wokenEarly) wake(state, name, 0);
  sleepUntilNext(state);
}

function measureIfOld(state: State, scheduled: Scheduled): Promise<void> {
  const isDue = performance.now() >= scheduled.nextAtMs && !state.stopping.signal.aborted;
  if (isDue && scheduled.running === undefined) {
    scheduled.nextAtMs = performance.now() + scheduled.job.everyMs;
    scheduled.running = runOnce(state, scheduled.job, false).then(() => {
      scheduled.running = undefined;
    });
  }
  return scheduled.running ?? Promise.resolve();
}

function wake(state: State, name: string, inMs: number): void {
  const scheduled = state.jobs.get(name);
  if (scheduled !== undefined) {
    schedule(scheduled, { inMs, isLook: false });
    sleepUntilNext(state);
  } else if (state.jobs.size === 0) state.wokenEarly.add(name);
  else throw new Error(`There is no job ${name}.`);
}

/** The earlier time wins: a wake-up during a run, or what the run has found. After a wake-up the job runs without a look. */
function schedule(scheduled: Scheduled, { inMs, isLook }: Next): void {
  scheduled.nextAtMs = Math.min(scheduled.nextAtMs, performance.now() + inMs);
  scheduled.isLook &&= isLook;
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
  const waiting = [...state.jobs.values()].filter(({ running }) => running === undefined);
  const isLooking = waiting.some((scheduled) => willLook(scheduled) && scheduled.nextAtMs <= now);
  for (const scheduled of waiting) {
    const earlierMs = isLooking && willLook(scheduled) ? longestSleepMs(state, scheduled.job) * lookEarlierShare : 0;
    if (scheduled.nextAtMs - earlierMs > now) continue;
    const { job, isLook } = scheduled;
    scheduled.nextAtMs = Number.POSITIVE_INFINITY;
    scheduled.isLook = true;
    scheduled.running = runOnce(state, job, isLook).then((next) => {
      scheduled.running = undefined;
      schedule(scheduled, next);
      sleepUntilNext(state);
    });
  }
  sleepUntilNext(state);
}

function willLook({ job, isLook }: Scheduled): boolean {
  return isLook && job.nextDueInMs !== undefined;
}

async function runOnce(state: State, job: Job, isLook: boolean): Promise<Next> {
  const { stopping, log, metrics } = state;
  const startedAt = performance.now();
  const later = { inMs: withJitter(longestSleepMs(state, job), 0.1), isLook: true };
  try {
    const dueInMs = isLook ? await lookAndRun(state, job) : await runJob(state, job);
    countRun(metrics, job, 'done');
    if (dueInMs === undefined || dueInMs > later.inMs) return later;
    return { inMs: Math.max(dueInMs, Math.min(job.pauseMsMin ?? pauseMsMinDefault, later.inMs)), isLook: false };
  } catch (error) {
    if (!stopping.signal.aborted) {
      countRun(metrics, job, 'failed');
      log.error({ job: job.name, durationMs: Math.round(performance.now() - startedAt), error }, 'job failed');
    }
    return job.nextDueInMs === undefined ? later : { inMs: Math.min(retryAfterMs, later.inMs), isLook };
  }
}

function longestSleepMs({ lookEveryMsMax = Number.POSITIVE_INFINITY }: State, { everyMs, nextDueInMs }: Job): number {
  return nextDueInMs === undefined ? everyMs : Math.min(everyMs, lookEveryMsMax);
}

function countRun(metrics: Metrics | undefined, { name }: Job, outcome: 'done' | 'failed'): void {
  metrics?.counter(jobRuns).inc({ name, outcome });
  if (outcome === 'done') metrics?.gauge(jobLastSuccess).setToCurrentTime({ name });
}

/** Runs the job if a row is due. Returns in how many milliseconds the next one is. */
async function lookAndRun(state: State, job: Job): Promise<number | undefined> {
  if (job.nextDueInMs === undefined) return runJob(state, job);
  const dueInMs = await job.nextDueInMs();
  return dueInMs !== undefined && dueInMs <= 0 ? runJob(state, job) : dueInMs;
}

async function runJob({ stopping }: State, { run, nextDueInMs, timeoutMs = timeoutMsDefault }: Job): Promise<number | undefined> {
  await run(AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]));
  return stopping.signal.aborted ? undefined : nextDueInMs?.();
}

/** Spreads the runs of replicas that were started at the same time. `share` is the random part of the time, from 0 to 1. */
function withJitter(ms: number, share: number): number {
  return ms - randomInt(Math.floor(ms * share) + 1);
}
