import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Environment } from '@holdfast/process/config';
import { keepRunning, type KeepRunningOptions } from './keep-running.js';

export type ProcessToRun = {
  readonly name: string;
  /** Must stop on SIGTERM, and when its IPC channel closes. */
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Environment;
  /** How long it may take to stop; then it is killed. */
  readonly stopTimeoutMs: number;
};

export type Supervised = {
  readonly name: string;
  /** Undefined while no process runs. */
  readonly pid: () => number | undefined;
  /** Sends SIGTERM, then SIGKILL after a timeout, and restarts nothing. Safe to call twice. */
  readonly stop: () => Promise<void>;
  /** Sends SIGKILL, for the end of this process, which cannot wait for an orderly stop. */
  readonly kill: () => void;
};

/** Keeps one process running: when it dies, it is restarted after a growing delay. */
export function supervise(toRun: ProcessToRun, options: KeepRunningOptions): Supervised {
  const stopping = new AbortController();
  const state: { child: ChildProcess | undefined } = { child: undefined };
  const run = (): Promise<string> => {
    state.child = spawnProcess(toRun);
    return waitForEnd(state.child);
  };
  const ended = keepRunning({ name: toRun.name, run }, options, stopping.signal);
  return {
    name: toRun.name,
    pid: () => (state.child !== undefined && isAlive(state.child) ? state.child.pid : undefined),
    stop: async () => {
      stopping.abort();
      if (state.child !== undefined) await stopChild(state.child, toRun.stopTimeoutMs);
      await ended;
    },
    kill: () => void state.child?.kill('SIGKILL'),
  };
}

/**
 * Runs in a process group of its own, so that Ctrl-C in a terminal reaches only the supervisor, which stops its processes in its order. The
 * IPC channel closes however the supervisor ends, kill -9 included, and the process stops then.
 */
function spawnProcess({ program, args, environment }: ProcessToRun): ChildProcess {
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

async function stopChild(child: ChildProcess, stopTimeoutMs: number): Promise<void> {
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
