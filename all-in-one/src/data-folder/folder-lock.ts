import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '@holdfast/kernel/context';
import { CannotStart } from './cannot-start.js';
import { writeDurably } from './files.js';
import { identityOf } from './process-identity.js';

export const runModes = ['all-in-one', 'distributed', 'command'] as const;
export type RunMode = (typeof runModes)[number];

const lockFileSchema = z.object({
  pid: z.int().positive(),
  identity: z.string(),
  takenAtMs: z.int(),
  mode: z.enum(runModes),
  /** The addresses of the running installation, present once it is ready. */
  baseUrl: z.string().exactOptional(),
  databaseUrl: z.string().exactOptional(),
  amqpUrl: z.string().exactOptional(),
  /** Absent on given outside systems. */
  sandboxUrl: z.string().exactOptional(),
  /** The URLs of the services, by name, for the commands. */
  serviceUrls: z.record(z.string(), z.string()).exactOptional(),
  /** Where each process serves its metrics and health checks, by its name. */
  metricsUrls: z.record(z.string(), z.string()).exactOptional(),
});
type LockFile = z.output<typeof lockFileSchema>;

export type RunningFacts = Pick<LockFile, 'baseUrl' | 'databaseUrl' | 'amqpUrl' | 'sandboxUrl' | 'serviceUrls' | 'metricsUrls'>;
export type RunningInstallation = RunningFacts & Pick<LockFile, 'pid' | 'mode'>;

export type FolderLock = {
  /** Adds the addresses, so that commands find the servers. */
  readonly update: (facts: RunningFacts) => void;
  readonly release: () => void;
};

const lockFilePrefix = 'running-';
/** A process that was just killed looks alive for a moment. */
const rivalTimeoutMs = 2_000;
const pollMs = 50;

/**
 * Locks the folder for this process. Each process first writes its lock file and then looks for others, so that at least one of two
 * concurrent starts sees the other. The younger one deletes its lock file and tries again; the lock file of a process that has ended does
 * not count.
 */
export async function lockFolder(dataDir: string, mode: RunMode, clock: Clock): Promise<FolderLock> {
  const file = path.join(dataDir, `${lockFilePrefix}${process.pid}-${randomBytes(4).toString('hex')}.json`);
  const content: LockFile = { pid: process.pid, identity: identityOf(process.pid) ?? '', takenAtMs: clock.epochMs(), mode };
  const release = (): void => rmSync(file, { force: true });
  const deadline = performance.now() + rivalTimeoutMs;
  for (;;) {
    writeDurably(file, JSON.stringify(content));
    const [rival] = readLockFiles(dataDir).filter((other) => other.file !== file);
    if (rival === undefined) return { update: (facts) => writeDurably(file, JSON.stringify({ ...content, ...facts })), release };
    if (isOlder(rival, content)) release();
    if (performance.now() > deadline) {
      release();
      throw new CannotStart(refusalOf(dataDir, rival));
    }
    await pause(pollMs);
  }
}

/** The process that uses the folder now. */
export function findRunning(dataDir: string): RunningInstallation | undefined {
  return readLockFiles(dataDir)[0];
}

/** Lock files do not count as data: a folder with nothing else counts as empty. */
export function isLockFile(name: string): boolean {
  return name.startsWith(lockFilePrefix);
}

/** The lock files of running processes, oldest first. Deletes the lock files of ended processes. */
function readLockFiles(dataDir: string): readonly (LockFile & { readonly file: string })[] {
  return readdirSync(dataDir)
    .filter((name) => isLockFile(name) && name.endsWith('.json'))
    .map((name) => path.join(dataDir, name))
    .flatMap((file) => {
      const lockFile = readLockFile(file);
      if (lockFile !== undefined && identityOf(lockFile.pid) === lockFile.identity) return [{ ...lockFile, file }];
      rmSync(file, { force: true });
      return [];
    })
    .sort((one, other) => (isOlder(one, other) ? -1 : 1));
}

function readLockFile(file: string): LockFile | undefined {
  try {
    return lockFileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined; // deleted between listing and reading
  }
}

function isOlder(one: LockFile, other: LockFile): boolean {
  return one.takenAtMs === other.takenAtMs ? one.pid < other.pid : one.takenAtMs < other.takenAtMs;
}

function refusalOf(dataDir: string, rival: LockFile): string {
  const address = rival.baseUrl === undefined ? '' : ` at ${rival.baseUrl}`;
  return `Another Holdfast (process ${rival.pid}) is running on ${dataDir}${address}: stop it, or choose another HOLDFAST_DATA_DIR.`;
}
