import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { settlesWithin } from '@holdfast/kernel/async';
import { superuser, type DataFolder } from './data-folder.js';
import { spawnGuardian } from './guardian.js';
import { isRunning, programOf, readIfExists, readNumber, reasonOf } from './processes.js';

/** Long enough for crash recovery with a large write-ahead log. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;
const pollMs = 50;

const databaseName = 'holdfast';

export type ServerStart = { readonly child: ChildProcess } | { readonly failure: string };

/** Makes one attempt. `failure` is the log output of the server. */
export async function startServer(folder: DataFolder, port: number): Promise<ServerStart> {
  const child = spawnGuardian(folder, port);
  try {
    const failure = await waitUntilReady(folder, child, port);
    return failure === undefined ? { child } : { failure };
  } catch (error) {
    await stopServer(child, folder);
    throw error;
  }
}

export async function stopServer(child: ChildProcess, folder: DataFolder): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  if (!(await settlesWithin(exit, stopTimeoutMs))) {
    // Immediate shutdown: the next start recovers committed data from the write-ahead log.
    const holder = findHolder(folder);
    if (holder !== undefined) process.kill(holder, 'SIGQUIT');
    await exit;
  }
  rmSync(folder.ownerFile, { force: true });
}

/** The pid of the server that runs on the folder. Postgres does not remove its lock file in a crash, so the pid may be stale. */
export function findHolder(folder: DataFolder): number | undefined {
  const lockFile = path.join(folder.cluster, 'postmaster.pid');
  const holder = readNumber(lockFile);
  if (holder === undefined || !isRunning(holder)) return undefined;
  const program = programOf(holder);
  if (program === undefined || program === 'postgres') return holder;
  rmSync(lockFile, { force: true }); // the pid was reused by another program
  return undefined;
}

/** The administrator's URL of the database `holdfast`. */
export function adminUrlOf(folder: DataFolder, port: number): string {
  return urlOf(folder, port, databaseName);
}

function urlOf(folder: DataFolder, port: number, database: string): string {
  return `postgres://${superuser}:${folder.password}@127.0.0.1:${port}/${database}`;
}

/** Returns undefined once the server is ready, or the reason why it did not start. */
async function waitUntilReady(folder: DataFolder, child: ChildProcess, port: number): Promise<string | undefined> {
  const deadline = performance.now() + startTimeoutMs;
  let spawnFailure: string | undefined;
  const exit = once(child, 'exit').catch((error: unknown) => {
    spawnFailure = reasonOf(error);
  });
  while (!hasEnded(child) && spawnFailure === undefined) {
    if (await isReady(folder, port)) return undefined;
    if (performance.now() > deadline) {
      await stopServer(child, folder);
      return `it was not ready within ${startTimeoutMs / 1_000} s`;
    }
    await Promise.race([exit, pause(pollMs)]);
  }
  child.stdin?.end();
  return spawnFailure ?? readIfExists(folder.logFile).trim();
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Ready means that the database `holdfast` exists and that service roles cannot connect to the other databases. */
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
    if (reasonOf(error) !== '28P01') return false;
    throw new Error(`The password in ${path.dirname(folder.ownerFile)} does not open the data beside it.`, { cause: error });
  } finally {
    await client.end();
  }
}
