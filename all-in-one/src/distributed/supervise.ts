import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Environment } from '@holdfast/service-host/config';

export type PartToRun = {
  readonly name: string;
  /** Must stop on SIGTERM, and when its IPC channel closes. */
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Environment;
};

export type Supervised = {
  readonly name: string;
  /** Undefined while no process runs. */
  readonly pid: () => number | undefined;
  /** Sends SIGTERM, then SIGKILL after a timeout, and restarts nothing. Safe to call twice. */
  readonly stop: () => Promise<void>;
};

export type SupervisorOptions = {
  readonly onFact: (fact: string) => void;
  /** Called once, when a part has died too often to be restarted. */
  readonly onGivenUp: (fact: string) => void;
  readonly restartPausesMs?: readonly number[];
};

/** Delays before each restart. A part that dies after the last one is not restarted. */
const defaultPausesMs: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000];
/** A part that ran this long has started properly, and its earlier deaths no longer count. */
const stableAfterMs = 10_000;
/** A little longer than a process needs to drain. */
const stopTimeoutMs = 12_000;

/**
 * Keeps one part running. A part that dies is restarted after a growing delay; the count starts anew once a part has run for
 * `stableAfterMs`.
 */
export function supervise(part: PartToRun, options: SupervisorOptions): Supervised {
  const stopping = new AbortController();
  const state: { child: ChildProcess | undefined } = { child: undefined };
  const ended = keepRunning(part, options, stopping.signal, state);
  return {
    name: part.name,
    pid: () => (state.child !== undefined && isAlive(state.child) ? state.child.pid : undefined),
    stop: async () => {
      stopping.abort();
      if (state.child !== undefined) await stopChild(state.child);
      await ended;
    },
  };
}

async function keepRunning(
  part: PartToRun,
  options: SupervisorOptions,
  signal: AbortSignal,
  state: { child: ChildProcess | undefined },
): Promise<void> {
  const pausesMs = options.restartPausesMs ?? defaultPausesMs;
  const isStopping = (): boolean => signal.aborted;
  for (let deaths = 0; ; deaths += 1) {
    const begin = performance.now();
    state.child = spawnPart(part);
    const how = await waitForEnd(state.child);
    if (isStopping()) return;
    if (performance.now() - begin > stableAfterMs) deaths = 0;
    const pauseMs = pausesMs[deaths];
    if (pauseMs === undefined) {
      options.onGivenUp(`${part.name} ${how} ${deaths + 1} times in a row; it is not restarted`);
      return;
    }
    options.onFact(`${part.name} ${how}; restarting it in ${pauseMs / 1_000} s`);
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    if (isStopping()) return;
  }
}

/**
 * Runs in a process group of its own, so that Ctrl-C in a terminal reaches only the supervisor, which stops parts in its order. The
 * IPC channel closes however the supervisor ends, kill -9 included, and the part stops then.
 */
function spawnPart({ program, args, environment }: PartToRun): ChildProcess {
  return fork(program, args, { detached: true, env: { ...environment }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function waitForEnd(child: ChildProcess): Promise<string> {
  try {
    await once(child, 'exit');
  } catch (error) {
    return `could not be started (${String(error)})`;
  }
  return child.signalCode === null ? `ended with exit code ${String(child.exitCode)}` : `was ended by ${child.signalCode}`;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  if (await settlesWithin(exit, stopTimeoutMs)) return;
  child.kill('SIGKILL');
  await exit;
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
