import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const bootIdFile = '/proc/sys/kernel/random/boot_id';
/** Fields of /proc/<pid>/stat behind the program's name, which may itself contain spaces. */
const stateField = 0;
const startTimeField = 19;
const psTimeoutMs = 5_000;

/**
 * The start time of a process. With the process id it identifies the process, because ids are reused. Undefined when the process
 * has ended; a zombie counts as ended.
 */
export function identityOf(pid: number): string | undefined {
  return existsSync(bootIdFile) ? identityFromProc(pid) : identityFromPs(pid);
}

function identityFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (isDead(fields[stateField])) return undefined;
    return `${readFileSync(bootIdFile, 'utf8').trim()}/${fields[startTimeField] ?? ''}`;
  } catch {
    return undefined; // no such process, or it ended in between
  }
}

/** Systems without /proc, such as macOS. */
function identityFromPs(pid: number): string | undefined {
  try {
    const args = ['-o', 'stat=,lstart=', '-p', pid.toString()];
    const line = execFileSync('ps', args, { encoding: 'utf8', timeout: psTimeoutMs, stdio: ['ignore', 'pipe', 'ignore'] });
    const [state, ...startTime] = line.trim().split(/\s+/);
    return isDead(state) ? undefined : startTime.join(' ');
  } catch {
    return undefined; // ps fails when there is no such process
  }
}

function isDead(state: string | undefined): boolean {
  return state === undefined || state === '' || state.startsWith('Z') || state.startsWith('X');
}
