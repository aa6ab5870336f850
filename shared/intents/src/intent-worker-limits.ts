import type { Backoff } from '@holdfast/kernel/async';
import { dueWorkEveryMs } from '@holdfast/work';

export type IntentWorkerLimits = {
  /** Intents that one process runs concurrently. */
  readonly runningMax: number;
  readonly renewEveryMs: number;
  /** The shortest time between two looks for due intents. The worker wakes up by itself when an intent of this process is due. */
  readonly pollMs: number;
  /** The longest time between two looks, which find what a dead process has left. */
  readonly lookEveryMs: number;
  /** Finds intents that another process has closed, for requests that wait for them. */
  readonly waitersPollMs: number;
  /** How long those requests wait on when the process stops; shorter than the time in which an HTTP server drains. */
  readonly stopGraceMs: number;
  readonly drainTimeoutMs: number;
  /** Delay between runs that did not close an intent. */
  readonly backoff: Backoff;
};

export const defaultLimits: IntentWorkerLimits = {
  runningMax: 64,
  renewEveryMs: 5_000,
  pollMs: 1_000,
  lookEveryMs: dueWorkEveryMs,
  waitersPollMs: 500,
  stopGraceMs: 3_000,
  drainTimeoutMs: 5_000,
  backoff: { firstDelayMs: 100, delayMsMax: 10_000 },
};
