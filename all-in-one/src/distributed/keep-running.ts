import { setTimeout as pause } from 'node:timers/promises';

export type KeepRunningOptions = {
  readonly onFact: (fact: string) => void;
  /** Called once, when it has died too often to be restarted. */
  readonly onGivenUp: (fact: string) => void;
  readonly restartPausesMs?: readonly number[];
};

/** Something that is restarted when it dies. */
export type Restartable = {
  readonly name: string;
  /** Starts it and resolves, once it has ended, to how that happened: "was ended by SIGKILL". Never rejects. */
  readonly run: () => Promise<string>;
};

/** Delays before each restart. What dies after the last one is not restarted. */
const defaultPausesMs: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000];
/** What ran this long has started properly, and its earlier deaths no longer count. */
const stableAfterMs = 10_000;

/** Restarts it after a growing delay whenever it dies, until the signal is aborted. */
export async function keepRunning({ name, run }: Restartable, options: KeepRunningOptions, signal: AbortSignal): Promise<void> {
  const pausesMs = options.restartPausesMs ?? defaultPausesMs;
  const isStopping = (): boolean => signal.aborted;
  for (let deaths = 0; ; deaths += 1) {
    const begin = performance.now();
    const how = await run();
    if (isStopping()) return;
    if (performance.now() - begin > stableAfterMs) deaths = 0;
    const pauseMs = pausesMs[deaths];
    if (pauseMs === undefined) {
      options.onGivenUp(`${name} ${how} ${deaths + 1} times in a row; it is not restarted`);
      return;
    }
    options.onFact(`${name} ${how}; restarting it in ${pauseMs / 1_000} s`);
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    if (isStopping()) return;
  }
}
