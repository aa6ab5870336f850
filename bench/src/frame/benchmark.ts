import type { Rounds } from './measure.js';
import type { Report } from './results.js';

export type RunOptions = {
  /** A short run to try the benchmark, not to read numbers from. */
  readonly isQuick: boolean;
  /** An empty folder that is deleted afterwards, on a real disk. */
  readonly folder: string;
  readonly onProgress: (fact: string) => void;
  /** Registers what must be stopped, however the run ends; the last one registered stops first. */
  readonly onEnd: (stop: () => Promise<void>) => void;
};

/** What a benchmark itself knows; the frame adds when, how long, and under which load it ran. */
export type Findings = Omit<Report, 'name' | 'title' | 'measuredAt' | 'durationSeconds' | 'load'>;

export type Benchmark = {
  readonly name: string;
  readonly title: string;
  /** Throws when a call failed or when what was done does not add up. */
  readonly run: (options: RunOptions) => Promise<Findings>;
};

export const fullRounds: Rounds = { count: 5, durationMs: 2_000, warmUpMs: 500 };
export const quickRounds: Rounds = { count: 1, durationMs: 1_000, warmUpMs: 300 };
