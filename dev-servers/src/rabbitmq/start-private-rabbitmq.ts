import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { retry, settlesWithin } from '@holdfast/kernel/async';
import { findRabbitmq, type RabbitmqInstallation } from './find-rabbitmq.js';
import { gracefulStopSeconds, spawnGuardian } from './guardian.js';
import { isAmqpReady, isTcpOpen, findServerPorts } from './server-ports.js';
import { prepareServerFolder, serverUser, type ServerFolder, type ServerPorts } from './server-folder.js';

export type PrivateRabbitmqOptions = {
  /** Created if it does not exist. It contains all files of the server. */
  readonly dataDir: string;
  readonly onProgress?: (fact: string) => void;
};

export type PrivateRabbitmq = {
  /** Does not change with a restart. */
  readonly url: string;
  /** Resolves once every process of the server has ended. Idempotent. */
  readonly stop: () => Promise<void>;
  /** Stops the server if it runs and starts it on the same port. */
  readonly restart: () => Promise<void>;
  /** Sends SIGKILL to every process of the server. */
  readonly kill: () => Promise<void>;
  /** Resolves when the server that runs now has ended, for whatever reason. */
  readonly ended: () => Promise<void>;
};

const startTimeoutMs = 60_000;
/** After SIGKILL of its owner the old server needs some time to stop. */
const oldServerTimeoutMs = (gracefulStopSeconds + 5) * 1_000;
const stopTimeoutMs = (gracefulStopSeconds + 5) * 1_000;
const pollMs = 50;
const startAttemptsMax = 3;
const logTailLines = 8;

type ServerFiles = { readonly installation: RabbitmqInstallation; readonly folder: ServerFolder };

/** Starts a RabbitMQ server on 127.0.0.1 and free ports. It stops when this process ends, also after SIGKILL. */
export async function startPrivateRabbitmq(options: PrivateRabbitmqOptions): Promise<PrivateRabbitmq> {
  const onProgress = options.onProgress ?? (() => undefined);
  const installation = findRabbitmq();
  if (installation === undefined) throw new Error('This user can start no RabbitMQ on this machine.');
  const folder = prepareServerFolder(path.resolve(options.dataDir));
  await waitForOldServer(folder, onProgress);
  onProgress('starting the message broker');
  const files = { installation, folder };
  const started = await startOnFreePorts(files);
  const { ports } = started;
  let { guardian } = started;
  const stop = async (): Promise<void> => {
    await stopGuardian(guardian, folder);
    await waitUntilStopped(ports);
  };
  return {
    url: `amqp://${serverUser}:${folder.password}@127.0.0.1:${ports.amqp}`,
    stop,
    kill: async () => {
      await killGuardian(guardian);
      await waitUntilStopped(ports);
    },
    ended: () => untilEnded(guardian),
    restart: async () => {
      await stop();
      guardian = await startServer(files, ports);
    },
  };
}

/** Two servers on one folder would corrupt the data. */
async function waitForOldServer(folder: ServerFolder, onProgress: (fact: string) => void): Promise<void> {
  const deadline = performance.now() + oldServerTimeoutMs;
  for (let turn = 0; ; turn += 1) {
    const holder = readHolder(folder);
    if (holder === undefined || !(await isTcpOpen(holder.epmdPort))) return;
    if (performance.now() > deadline) {
      throw new Error(
        `A RabbitMQ still runs on ${folder.root}: stop the Holdfast that started it, or end it with "kill -9 -- -${holder.pid}".`,
      );
    }
    if (turn === 0) onProgress('waiting for the previous message broker to end');
    await pause(pollMs);
  }
}

function readHolder(folder: ServerFolder): { readonly pid: number; readonly epmdPort: number } | undefined {
  if (!existsSync(folder.holderFile)) return undefined;
  const [pid, epmdPort] = readFileSync(folder.holderFile, 'utf8').split(' ').map(Number);
  if (pid === undefined || epmdPort === undefined || !Number.isInteger(pid) || !Number.isInteger(epmdPort)) return undefined;
  return { pid, epmdPort };
}

type Started = { readonly guardian: ChildProcess; readonly ports: ServerPorts };

/** Another process may take a free port before the server does, so the start is retried with other ports. */
function startOnFreePorts(files: ServerFiles): Promise<Started> {
  const start = async (): Promise<Started> => {
    const ports = await findServerPorts();
    return { guardian: await startServer(files, ports), ports };
  };
  return retry(start, { attemptsMax: startAttemptsMax, firstDelayMs: pollMs });
}

async function startServer({ installation, folder }: ServerFiles, ports: ServerPorts): Promise<ChildProcess> {
  const guardian = spawnGuardian(installation, folder, ports);
  if (guardian.pid === undefined) throw new Error('/bin/sh could not be started, and RabbitMQ needs it.');
  writeFileSync(folder.holderFile, `${guardian.pid} ${ports.epmd}`, { mode: 0o600 });
  const deadline = performance.now() + startTimeoutMs;
  while (isAlive(guardian) && performance.now() < deadline) {
    if (await isAmqpReady(ports.amqp)) return guardian;
    await pause(pollMs);
  }
  await killGuardian(guardian);
  const tail = readFileSync(folder.logFile, 'utf8').trim().split('\n').slice(-logTailLines).join('\n');
  throw new Error(`RabbitMQ did not start on ${folder.root}:\n${tail}`);
}

async function stopGuardian(guardian: ChildProcess, folder: ServerFolder): Promise<void> {
  guardian.stdin?.end();
  if (!(await waitForExit(guardian, stopTimeoutMs))) await killGuardian(guardian);
  rmSync(folder.holderFile, { force: true });
}

async function killGuardian(guardian: ChildProcess): Promise<void> {
  if (guardian.pid === undefined || !isAlive(guardian)) return;
  try {
    process.kill(-guardian.pid, 'SIGKILL'); // the whole group: guardian, port mapper and server
  } catch {
    // It ended between the check and the signal.
  }
  await waitForExit(guardian, stopTimeoutMs);
}

/** The server and epmd may end shortly after the guardian. */
async function waitUntilStopped({ amqp, epmd }: ServerPorts): Promise<void> {
  const deadline = performance.now() + stopTimeoutMs;
  while ((await isTcpOpen(amqp)) || (await isTcpOpen(epmd))) {
    if (performance.now() > deadline) throw new Error(`RabbitMQ on port ${amqp} cannot be stopped.`);
    await pause(pollMs);
  }
}

/** The guardian ends with the server. */
async function untilEnded(guardian: ChildProcess): Promise<void> {
  if (isAlive(guardian)) await once(guardian, 'exit');
}

async function waitForExit(guardian: ChildProcess, timeoutMs: number): Promise<boolean> {
  return !isAlive(guardian) || settlesWithin(once(guardian, 'exit'), timeoutMs);
}

function isAlive(guardian: ChildProcess): boolean {
  return guardian.exitCode === null && guardian.signalCode === null;
}
