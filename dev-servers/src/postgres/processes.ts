import { existsSync, readFileSync } from 'node:fs';

/** A zombie process counts as ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    return reasonOf(cause) === 'EPERM'; // it runs as another user
  }
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || !/^State:\s+[ZX]/m.test(readIfExists(status));
}

/** The program name of a process. Undefined on systems without /proc. */
export function programOf(pid: number): string | undefined {
  const name = readIfExists(`/proc/${pid}/comm`).trim();
  return name === '' ? undefined : name;
}

/** The number at the start of a file, such as a pid file. */
export function readNumber(file: string): number | undefined {
  const number = Number.parseInt(readIfExists(file), 10);
  return Number.isNaN(number) ? undefined : number;
}

/** The error code of a failed system call or SQL statement. */
export function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

/** The standard error of a failed program. */
export function outputOf(error: unknown): string {
  const output = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
  return output === '' ? String(error) : output;
}

/** Returns an empty text if the file does not exist. Files in /proc disappear when their process ends. */
export function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ESRCH'].includes(reasonOf(cause))) return '';
    throw cause;
  }
}
