import { readdirSync, readFileSync } from 'node:fs';
import { cpuMicrosOf } from '../frame/process-cpu.js';

/** Microseconds of processor time by kind of process. Empty where the system does not report it. */
export type ProcessTimes = ReadonlyMap<string, number>;

/** What each process has used since it began. */
export type Readings = ReadonlyMap<number, { readonly name: string; readonly micros: number }>;

/** Patterns that recognise the kind of a process by its command line. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/distributed\.js/, 'sandbox'],
  [/beam/, 'rabbitmq'],
  [/postgres/, 'postgres'],
  [/main\.js/, 'clients'],
];

/** Of this process, whatever it has started, and whatever works in the benchmark's folder. */
export function readProcessTimes(folder: string): Readings {
  const processes = readProcesses();
  const times = new Map<number, { readonly name: string; readonly micros: number }>();
  for (const pid of processes.keys()) {
    if (!isOurs(pid, processes, folder)) continue;
    const name = nameOf(processes.get(pid)?.command ?? '');
    const micros = name === undefined ? null : cpuMicrosOf(pid);
    if (name !== undefined && micros !== null) times.set(pid, { name, micros });
  }
  return times;
}

/** What each kind of process has used between the two, per order. What a process used that has ended meanwhile is not known. */
export function timesPerOrder(before: Readings, after: Readings, orders: number): ProcessTimes {
  const times = new Map<string, number>();
  for (const [pid, { name, micros }] of after)
    times.set(name, (times.get(name) ?? 0) + (micros - (before.get(pid)?.micros ?? 0)) / orders);
  return times;
}

type Processes = ReadonlyMap<number, { readonly parent: number; readonly command: string }>;

function readProcesses(): Processes {
  return new Map(pidsOf().flatMap((pid) => readProcess(pid)));
}

function pidsOf(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

const parentField = 1;

function readProcess(pid: number): readonly (readonly [number, { readonly parent: number; readonly command: string }])[] {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[parentField]);
    return [[pid, { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }]];
  } catch {
    return []; // it has ended meanwhile
  }
}

const ancestorsMax = 12;

function isOurs(pid: number, processes: Processes, folder: string): boolean {
  let current = pid;
  for (let depth = 0; depth < ancestorsMax; depth += 1) {
    const found = processes.get(current);
    if (current === process.pid || found?.command.includes(folder) === true) return true;
    if (found === undefined) return false;
    current = found.parent;
  }
  return false;
}

function nameOf(command: string): string | undefined {
  const [, service] = /service\.js (\S+)/.exec(command) ?? [];
  return service ?? programs.find(([pattern]) => pattern.test(command))?.[1];
}
