import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { prepareDataFolder, superuser, type DataFolder } from './data-folder.js';
import { spawnGuardian } from './guardian.js';
import { isRunning, readIfThere, reasonOf } from './processes.js';

export type EmbeddedPostgresOptions = {
  /** Made if it does not exist. Everything is kept below it, unless only root may enter it. */
  readonly dataDir: string;
  readonly onProgress?: (fact: string) => void;
};

export type EmbeddedPostgres = {
  /** The administrator's URL, to the database `holdfast`. */
  readonly url: string;
  readonly port: number;
  /** Fast shutdown: open transactions are rolled back, what was committed stays. */
  readonly stop: () => Promise<void>;
};

/** After kill -9 the old server needs a second or two to end. */
const oldServerTimeoutMs = 10_000;
/** A process that is being killed looks alive for a moment; one that is still there after this is a rival. */
const dyingOwnerTimeoutMs = 1_000;
/** Long enough for crash recovery after much unflushed work. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;
const pollMs = 50;
const portAttemptsMax = 5;

export const databaseName = 'holdfast';

/** A real Postgres server of our own on 127.0.0.1 and a free port. It ends when this process does, however that happens. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const onProgress = options.onProgress ?? (() => undefined);
  const folder = await prepareDataFolder(path.resolve(options.dataDir), onProgress);
  await waitForOldServer(folder, onProgress);
  onProgress('starting the database');
  const { child, port } = await startOnFreePort(folder);
  writeFileSync(folder.ownerFile, process.pid.toString(), { mode: 0o600 });
  const url = urlOf(folder, port, databaseName);
  return { url, port, stop: () => stopServer(child, folder) };
}

/** Only one server may have the folder; Postgres's own lock file says which. */
async function waitForOldServer(folder: DataFolder, onProgress: (fact: string) => void): Promise<void> {
  const begin = performance.now();
  for (let turn = 0; ; turn += 1) {
    const holder = readNumber(path.join(folder.cluster, 'postmaster.pid'));
    if (holder === undefined || !isRunning(holder)) return;
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

function readNumber(file: string): number | undefined {
  const number = Number.parseInt(readIfThere(file), 10);
  return Number.isNaN(number) ? undefined : number;
}

type Started = { readonly child: ChildProcess; readonly port: number };

async function startOnFreePort(folder: DataFolder): Promise<Started> {
  const deadline = performance.now() + oldServerTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    const child = spawnGuardian(folder, port);
    const failure = await waitUntilReady(folder, child, port).catch(async (error: unknown) => {
      await stopServer(child, folder);
      throw error;
    });
    if (failure === undefined) return { child, port };
    // Workers of a server that was killed hold its shared memory for a moment; a free port may be taken meanwhile.
    const isPassing = /shared memory block|could not bind|Address already in use/.test(failure);
    if (!isPassing || (attempt >= portAttemptsMax && performance.now() > deadline)) throw new Error(explain(folder, failure));
    await pause(pollMs * 4);
  }
}

/** Says what went wrong, or nothing once the server answers. */
async function waitUntilReady(folder: DataFolder, child: ChildProcess, port: number): Promise<string | undefined> {
  const deadline = performance.now() + startTimeoutMs;
  const exit = once(child, 'exit').then(
    () => undefined,
    (error: unknown) => error,
  );
  while (child.exitCode === null && child.signalCode === null) {
    if (await isReady(folder, port)) return undefined;
    if (performance.now() > deadline) {
      await stopServer(child, folder);
      return `it did not answer within ${startTimeoutMs / 1_000} s`;
    }
    await Promise.race([exit, pause(pollMs)]);
  }
  child.stdin?.end();
  return readFileSync(folder.logFile, 'utf8').trim();
}

/** Ready means that the database of our own exists and that the server's other ones are closed to service roles. */
async function isReady(folder: DataFolder, port: number): Promise<boolean> {
  const client = new Client({ connectionString: urlOf(folder, port, superuser), connectionTimeoutMillis: startTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) {
      await client.query('revoke all on database postgres, template1 from public');
      await client.query(`create database ${databaseName}`);
    }
    return true;
  } catch (error) {
    if (reasonOf(error) === '28P01')
      throw new Error(`The password in ${path.dirname(folder.ownerFile)} does not open the data beside it.`, { cause: error });
    return false;
  } finally {
    await client.end();
  }
}

function explain(folder: DataFolder, failure: string): string {
  if (failure.includes('lock file'))
    return `Another process has just started Postgres on ${folder.cluster}: only one Holdfast can use a data folder.`;
  const last = failure.split('\n').slice(-5).join('\n');
  return `Postgres did not start on ${folder.cluster}: ${last}`;
}

async function stopServer(child: ChildProcess, folder: DataFolder): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  const isStopped = await Promise.race([exit.then(() => true), pause(stopTimeoutMs, false, { ref: false })]);
  if (!isStopped) {
    // Immediate shutdown: the next start recovers from the log, nothing committed is lost.
    const postmaster = readNumber(path.join(folder.cluster, 'postmaster.pid'));
    if (postmaster !== undefined) process.kill(postmaster, 'SIGQUIT');
    await exit;
  }
  rmSync(folder.ownerFile, { force: true });
}

function urlOf(folder: DataFolder, port: number, database: string): string {
  return `postgres://${superuser}:${folder.password}@127.0.0.1:${port}/${database}`;
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
