import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareDataFolder, type DataFolder } from './data-folder.js';
import { keepRunning, type RunningServer } from './keep-running.js';
import { isRunning, readNumber } from './processes.js';
import { adminUrlOf, findHolder, startServer } from './server-process.js';

export type EmbeddedPostgresOptions = {
  /** Made if it does not exist. Everything is kept below it, unless only root may enter it. */
  readonly dataDir: string;
  /** Told what is going on, also when the server has to be started again later. */
  readonly onProgress?: (fact: string) => void;
};

export type EmbeddedPostgres = {
  /** The administrator's URL, to the database `holdfast`. */
  readonly url: string;
  readonly port: number;
  /** Where the data lie: below the given folder, unless only root may enter that. */
  readonly cluster: string;
  /** Fast shutdown: open transactions are rolled back, what was committed stays. */
  readonly stop: () => Promise<void>;
};

/** After kill -9 the old server needs a second or two to end. */
const oldServerTimeoutMs = 10_000;
/** A process that is being killed looks alive for a moment; one that is still there after this is a rival. */
const dyingOwnerTimeoutMs = 1_000;
const pollMs = 50;
const startRetryMs = 200;
const startAttemptsMin = 5;

/** A real Postgres server of our own on 127.0.0.1 and a free port. It ends when this process does, however that happens. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const onProgress = options.onProgress ?? (() => undefined);
  const folder = await prepareDataFolder(path.resolve(options.dataDir), onProgress);
  await waitForOldServer(folder, onProgress);
  onProgress('starting the database');
  const server = await startOnFreePort(folder);
  writeFileSync(folder.ownerFile, process.pid.toString(), { mode: 0o600 });
  const { cluster } = folder;
  return { url: adminUrlOf(folder, server.port), port: server.port, cluster, stop: keepRunning(folder, server, onProgress) };
}

/** Only one server may have the folder. */
async function waitForOldServer(folder: DataFolder, onProgress: (fact: string) => void): Promise<void> {
  const begin = performance.now();
  for (let turn = 0; ; turn += 1) {
    const holder = findHolder(folder);
    if (holder === undefined) return;
    const owner = readNumber(folder.ownerFile);
    const waitedMs = performance.now() - begin;
    if (owner !== undefined && isRunning(owner) && waitedMs > dyingOwnerTimeoutMs) {
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

async function startOnFreePort(folder: DataFolder): Promise<RunningServer> {
  const deadline = performance.now() + oldServerTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    const started = await startServer(folder, port);
    if ('child' in started) return { child: started.child, port };
    // Workers of a server that was killed hold its shared memory for a moment; a free port may be taken meanwhile.
    const isPassing = /shared memory block|could not bind|Address already in use/.test(started.failure);
    if (isPassing && (attempt < startAttemptsMin || performance.now() < deadline)) await pause(startRetryMs);
    else throw new Error(explain(folder, started.failure));
  }
}

function explain(folder: DataFolder, failure: string): string {
  if (failure.includes('lock file')) {
    return `Another process has just started Postgres on ${folder.cluster}: only one Holdfast can use a data folder.`;
  }
  const last = failure.split('\n').slice(-5).join('\n');
  return `Postgres did not start on ${folder.cluster}: ${last}`;
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The machine gave no free port.');
  return address.port;
}
