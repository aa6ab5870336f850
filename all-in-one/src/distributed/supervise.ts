import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Environment } from '@holdfast/service-host/config';

export type PartToRun = {
  readonly name: string;
  /** The program and its arguments. It must stop on SIGTERM, and when its channel to us closes. */
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Environment;
};

export type Supervised = {
  readonly name: string;
  /** The process that runs now, if one does. */
  readonly pid: () => number | undefined;
  /** Asks it to stop, kills it when it does not, and starts no other. Safe to call twice. */
  readonly stop: () => Promise<void>;
};

export type SupervisorOptions = {
  readonly onFact: (fact: string) => void;
  /** Called once, when a part died too often to be started again. */
  readonly onGivenUp: (fact: string) => void;
  readonly restartPausesMs?: readonly number[];
};

/** After the last of these within the time below, it is not started again. */
const defaultPausesMs: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000];
/** Whoever cannot start has died before; whoever ran that long was at work, and may be killed any number of times. */
const stableAfterMs = 10_000;
/** A little more than a process takes to drain. */
const stopTimeoutMs = 12_000;

/**
 * Keeps one part running. A part that dies is started again after a pause that grows; one that has run steadily for
 * a while has its earlier deaths forgiven.
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
      options.onGivenUp(`${part.name} ${how} ${deaths + 1} times in a row; it is not started again`);
      return;
    }
    options.onFact(`${part.name} ${how}; starting it again in ${pauseMs / 1_000} s`);
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    if (isStopping()) return;
  }
}

/**
 * In a process group of its own, so that Ctrl-C in a terminal reaches us alone and parts stop in our order. The channel
 * closes however we end, kill -9 included, which tells the part to stop.
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
