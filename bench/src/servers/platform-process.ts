import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@holdfast/testing/servers';

export type PlatformProcess = { readonly url: string; readonly pid: number; readonly stop: () => Promise<void> };

type ProcessOptions = {
  /** `gateway`, or the name of a service. */
  readonly name: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
};

/** What `npm run service -- <name>` runs. */
const serviceProgram = fileURLToPath(new URL('../../../dist/service.js', import.meta.url));
const readyTimeoutMs = 30_000;
const pollMs = 50;
const logTailLines = 5;

/** The gateway or a service as it runs in production: in its own process, which logs every request, here to a file. */
export async function startPlatformProcess({ name, folder, env }: ProcessOptions): Promise<PlatformProcess> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const logFile = path.join(folder, `${name}.log`);
  const log = openSync(logFile, 'w');
  const child = fork(serviceProgram, [name], {
    env: { ...env, PORT: port.toString(), METRICS_PORT: metricsPort.toString(), SHUTDOWN_DELAY_MS: '0' },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  const stop = (): Promise<void> => stopChild(child);
  const deadline = performance.now() + readyTimeoutMs;
  while (!(await isReady(`http://127.0.0.1:${metricsPort}/readyz`))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      const tail = readFileSync(logFile, 'utf8').trim().split('\n').slice(-logTailLines).join('\n');
      throw new Error(`${name} did not become ready:\n${tail}`);
    }
    await pause(pollMs);
  }
  return { url, pid: child.pid ?? 0, stop };
}

/** Closes the IPC channel, which stops the process, and waits for its exit. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  if (child.connected) child.disconnect();
  await exit;
}

export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status === 200;
  } catch {
    return false; // it does not listen yet
  }
}
