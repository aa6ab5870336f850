import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../network/index.js';
import { prepareDataFolder, type DataFolder } from './data-folder.js';
import { keepRunning, type RunningServer } from './keep-running.js';
import { isRunning, readNumber } from './processes.js';
import { adminUrlOf, findHolder, startServer } from './server-process.js';

export type EmbeddedPostgresOptions = {
  /** Created if it does not exist. It contains all files of the server, unless only root may enter it. */
  readonly dataDir: string;
  /** Called with progress messages, also when the server is restarted later. */
  readonly onProgress?: (fact: string) => void;
  /** How long to wait for an old server; after SIGKILL of its owner it needs a second or two to stop. */
  readonly oldServerTimeoutMs?: number;
};

export type EmbeddedPostgres = {
  /** The administrator's URL of the database `holdfast`. */
  readonly url: string;
  readonly port: number;
  /** The folder of the database files: below `dataDir`, unless only root may enter that. */
  readonly cluster: string;
  /** Fast shutdown: open transactions are rolled back. */
  readonly stop: () => Promise<void>;
};

const oldServerTimeoutMsDefault = 10_000;
/** A killed process is visible for a moment. An owner that is still running after this time is another Holdfast. */
const killedOwnerTimeoutMs = 1_000;
const pollMs = 50;
const startRetryMs = 200;
const startAttemptsMin = 5;

/** Starts a Postgres server on 127.0.0.1 and a free port. It stops when this process ends, also after SIGKILL. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, onProgress = () => undefined, oldServerTimeoutMs = oldServerTimeoutMsDefault } = options;
  const waiting = { onProgress, oldServerTimeoutMs };
  const folder = await prepareDataFolder(path.resolve(dataDir), onProgress);
  await waitForOldServer(folder, waiting);
  onProgress('starting the database');
  const server = await startOnFreePort(folder, waiting);
  writeFileSync(folder.ownerFile, process.pid.toString(), { mode: 0o600 });
  const { cluster } = folder;
  return { url: adminUrlOf(folder, server.port), port: server.port, cluster, stop: keepRunning(folder, server, onProgress) };
}

type Waiting = Required<Pick<EmbeddedPostgresOptions, 'onProgress' | 'oldServerTimeoutMs'>>;

/** Only one server may run on the folder. */
async function waitForOldServer(folder: DataFolder, { onProgress, oldServerTimeoutMs }: Waiting): Promise<void> {
  const startedAt = performance.now();
  for (let turn = 0; ; turn += 1) {
    const holder = findHolder(folder);
    if (holder === undefined) return;
    const owner = readNumber(folder.ownerFile);
    const waitedMs = performance.now() - startedAt;
    if (owner !== undefined && isRunning(owner) && waitedMs > killedOwnerTimeoutMs) {
      throw new Error(
        `Another Holdfast (process ${owner}) is running on ${path.dirname(folder.ownerFile)}: stop it, or choose another HOLDFAST_DATA_DIR.`,
      );
    }
    if (waitedMs > oldServerTimeoutMs) {
      throw new Error(
        `Process ${holder} still holds ${folder.cluster}: it is probably an old Postgres; stop it with "kill -INT ${holder}" and start again.`,
      );
    }
    if (turn === 0) onProgress('waiting for the previous database server to end');
    await pause(pollMs);
  }
}

async function startOnFreePort(folder: DataFolder, waiting: Waiting): Promise<RunningServer> {
  const deadline = performance.now() + waiting.oldServerTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const started = await startServer(folder, port);
    if ('child' in started) return { child: started.child, port };
    if (!isTransient(started.failure) || (attempt >= startAttemptsMin && performance.now() > deadline)) {
      throw new Error(explain(folder, started.failure));
    }
    await pause(startRetryMs);
    await waitForOldServer(folder, waiting);
  }
}

/**
 * Workers of a killed server hold its shared memory for a moment, and the free port may be taken meanwhile. An owner may also have started
 * a new server just before it was killed.
 */
function isTransient(failure: string): boolean {
  return /shared memory block|could not bind|Address already in use|lock file/.test(failure);
}

function explain(folder: DataFolder, failure: string): string {
  if (failure.includes('lock file')) {
    return `Another process has just started Postgres on ${folder.cluster}: only one Holdfast can use a data folder.`;
  }
  const last = failure.split('\n').slice(-5).join('\n');
  return `Postgres did not start on ${folder.cluster}: ${last}`;
}
