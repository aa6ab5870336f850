import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@holdfast/shared/context';
import { z } from 'zod';
import { CannotStart } from './cannot-start.js';
import { writeDurably } from './files.js';
import { identityOf } from './process-identity.js';

export const waysToRun = ['all-in-one', 'distributed', 'command'] as const;
export type WayToRun = (typeof waysToRun)[number];

const ticketShape = z.object({
  pid: z.int().positive(),
  identity: z.string(),
  takenAtMs: z.int(),
  way: z.enum(waysToRun),
  /** Where the running installation is reached; there once it is ready. */
  baseUrl: z.string().exactOptional(),
  databaseUrl: z.string().exactOptional(),
  amqpUrl: z.string().exactOptional(),
  /** Where orders answers to the other parts, and to the commands. */
  ordersUrl: z.string().exactOptional(),
});
type Ticket = z.output<typeof ticketShape>;

export type RunningFacts = Pick<Ticket, 'baseUrl' | 'databaseUrl' | 'amqpUrl' | 'ordersUrl'>;
export type RunningInstallation = RunningFacts & Pick<Ticket, 'pid' | 'way'>;

export type Claim = {
  /** Lets the commands find the servers of what runs here. */
  readonly tell: (facts: RunningFacts) => void;
  readonly release: () => void;
};

const ticketPrefix = 'running-';
/** A rival that was just killed looks alive for a moment. */
const rivalTimeoutMs = 2_000;
const pollMs = 50;

/**
 * Makes this process the only one on the folder. Each process first lays down a ticket and then looks for those of others,
 * so that of two that come at once at least one sees the other. The younger one takes its ticket back and tries again; a
 * ticket whose process is gone, however it ended, does not count.
 */
export async function claimFolder(dataDir: string, way: WayToRun, clock: Clock): Promise<Claim> {
  const file = path.join(dataDir, `${ticketPrefix}${process.pid}-${randomBytes(4).toString('hex')}.json`);
  const ticket: Ticket = { pid: process.pid, identity: identityOf(process.pid) ?? '', takenAtMs: clock.epochMs(), way };
  const release = (): void => rmSync(file, { force: true });
  const deadline = performance.now() + rivalTimeoutMs;
  for (;;) {
    writeDurably(file, JSON.stringify(ticket));
    const [rival] = readTickets(dataDir).filter((other) => other.file !== file);
    if (rival === undefined) return { tell: (facts) => writeDurably(file, JSON.stringify({ ...ticket, ...facts })), release };
    if (isOlder(rival, ticket)) release();
    if (performance.now() > deadline) {
      release();
      throw new CannotStart(refusalOf(dataDir, rival));
    }
    await pause(pollMs);
  }
}

/** What runs on the folder right now. */
export function findRunning(dataDir: string): RunningInstallation | undefined {
  return readTickets(dataDir)[0];
}

/** Files of the claims, which say nothing about what else the folder holds. */
export function isTicket(name: string): boolean {
  return name.startsWith(ticketPrefix);
}

/** The living ones, oldest first. Those of the dead are removed. */
function readTickets(dataDir: string): readonly (Ticket & { readonly file: string })[] {
  return readdirSync(dataDir)
    .filter((name) => isTicket(name) && name.endsWith('.json'))
    .map((name) => path.join(dataDir, name))
    .flatMap((file) => {
      const ticket = readTicket(file);
      if (ticket !== undefined && identityOf(ticket.pid) === ticket.identity) return [{ ...ticket, file }];
      rmSync(file, { force: true });
      return [];
    })
    .sort((one, other) => (isOlder(one, other) ? -1 : 1));
}

function readTicket(file: string): Ticket | undefined {
  try {
    return ticketShape.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined; // taken back while we looked
  }
}

function isOlder(one: Ticket, other: Ticket): boolean {
  return one.takenAtMs === other.takenAtMs ? one.pid < other.pid : one.takenAtMs < other.takenAtMs;
}

function refusalOf(dataDir: string, rival: Ticket): string {
  const address = rival.baseUrl === undefined ? '' : ` at ${rival.baseUrl}`;
  return `Another Holdfast (process ${rival.pid}) is running on ${dataDir}${address}: stop it, or choose another HOLDFAST_DATA_DIR.`;
}
