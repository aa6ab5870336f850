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
  way: z.enum(runModes),
  /** Where the running installation is reached; there once it is ready. */
  baseUrl: z.string().exactOptional(),
  databaseUrl: z.string().exactOptional(),
  amqpUrl: z.string().exactOptional(),
  /** Where orders answers to the other parts, and to the commands. */
  ordersUrl: z.string().exactOptional(),
});
type LockFile = z.output<typeof lockFileSchema>;

export type RunningFacts = Pick<LockFile, 'baseUrl' | 'databaseUrl' | 'amqpUrl' | 'ordersUrl'>;
export type RunningInstallation = RunningFacts & Pick<LockFile, 'pid' | 'way'>;

export type FolderLock = {
  /** Lets the commands find the servers of what runs here. */
  readonly update: (facts: RunningFacts) => void;
  readonly release: () => void;
};

const lockFilePrefix = 'running-';
/** A rival that was just killed looks alive for a moment. */
const rivalTimeoutMs = 2_000;
const pollMs = 50;

/**
 * Makes this process the only one on the folder. Each process first lays down a ticket and then looks for those of others,
 * so that of two that come at once at least one sees the other. The younger one takes its ticket back and tries again; a
 * ticket whose process is gone, however it ended, does not count.
 */
export async function lockFolder(dataDir: string, mode: RunMode, clock: Clock): Promise<FolderLock> {
  const file = path.join(dataDir, `${lockFilePrefix}${process.pid}-${randomBytes(4).toString('hex')}.json`);
  const content: LockFile = { pid: process.pid, identity: identityOf(process.pid) ?? '', takenAtMs: clock.epochMs(), way: mode };
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

/** What runs on the folder right now. */
export function findRunning(dataDir: string): RunningInstallation | undefined {
  return readLockFiles(dataDir)[0];
}

/** Files of the claims, which say nothing about what else the folder holds. */
export function isLockFile(name: string): boolean {
  return name.startsWith(lockFilePrefix);
}

/** The living ones, oldest first. Those of the dead are removed. */
function readLockFiles(dataDir: string): readonly (LockFile & { readonly file: string })[] {
  return readdirSync(dataDir)
    .filter((name) => isLockFile(name) && name.endsWith('.json'))
    .map((name) => path.join(dataDir, name))
    .flatMap((file) => {
      const ticket = readLockFile(file);
      if (ticket !== undefined && identityOf(ticket.pid) === ticket.identity) return [{ ...ticket, file }];
      rmSync(file, { force: true });
      return [];
    })
    .sort((one, other) => (isOlder(one, other) ? -1 : 1));
}

function readLockFile(file: string): LockFile | undefined {
  try {
    return lockFileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined; // taken back while we looked
  }
}

function isOlder(one: LockFile, other: LockFile): boolean {
  return one.takenAtMs === other.takenAtMs ? one.pid < other.pid : one.takenAtMs < other.takenAtMs;
}

function refusalOf(dataDir: string, rival: LockFile): string {
  const address = rival.baseUrl === undefined ? '' : ` at ${rival.baseUrl}`;
  return `Another Holdfast (process ${rival.pid}) is running on ${dataDir}${address}: stop it, or choose another HOLDFAST_DATA_DIR.`;
}
