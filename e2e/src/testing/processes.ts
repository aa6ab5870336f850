import { readdirSync, readFileSync } from 'node:fs';

export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((candidate) => Number.isInteger(candidate) && parentOf(candidate) === pid);
}

/** All that it has started, and what those have started. */
export function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function parentOf(pid: number): number | undefined {
  const status = readProc(`/proc/${pid.toString()}/status`);
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}

export function commandOf(pid: number): string {
  return readProc(`/proc/${pid.toString()}/cmdline`);
}

/** Those that run. One that has ended and that its parent has not collected yet has no command. */
export function runningOf(pids: readonly number[]): readonly number[] {
  return pids.filter((pid) => commandOf(pid) !== '');
}

/** Kills all with -9, also those that are stopped. Some end with their parent meanwhile. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}

export function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // ended while we looked
  }
}
