import { existsSync, readFileSync } from 'node:fs';

/** A process that was killed and that its parent has not buried yet counts as gone. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    return reasonOf(cause) === 'EPERM'; // it runs, as somebody else
  }
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || !/^State:\s+[ZX]/m.test(readIfExists(status));
}

/** What a process runs, where the system says so. */
export function programOf(pid: number): string | undefined {
  const name = readIfExists(`/proc/${pid}/comm`).trim();
  return name === '' ? undefined : name;
}

/** The number a file begins with, as files with a process id do. */
export function readNumber(file: string): number | undefined {
  const number = Number.parseInt(readIfExists(file), 10);
  return Number.isNaN(number) ? undefined : number;
}

/** The code of a failed system call or statement. */
export function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

/** What a failed program has printed. */
export function outputOf(error: unknown): string {
  const output = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
  return output === '' ? String(error) : output;
}

/** The file may go at any moment, as those of a process do when it ends. */
export function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ESRCH'].includes(reasonOf(cause))) return '';
    throw cause;
  }
}
