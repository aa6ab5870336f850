import type { ChildProcess } from 'node:child_process';
import { retry } from '@holdfast/kernel/async';
import type { DataFolder } from './data-folder.js';
import { findHolder, startServer, stopServer } from './server-process.js';

export type RunningServer = { readonly child: ChildProcess; readonly port: number };

/** The attempts of one restart. After the last one an operator must act. */
const restarts = { attemptsMax: 10, firstDelayMs: 500, delayMsMax: 5_000 };

/**
 * Restarts the server on the same port when it exits unexpectedly, for example when it was killed because of low memory. The
 * connection pools of the services reconnect by themselves. Returns the function that stops the server.
 */
export function keepRunning(folder: DataFolder, server: RunningServer, onProgress: (fact: string) => void): () => Promise<void> {
  let current = server.child;
  const stopping = new AbortController();
  let restarting: Promise<void> = Promise.resolve();

  function watch(): void {
    current.once('exit', () => {
      if (stopping.signal.aborted) return;
      onProgress('the database server ended unexpectedly; starting it again');
      restarting = restart().catch((error: unknown) => {
        if (!stopping.signal.aborted) onProgress(`the database server could not be started again: ${String(error)}`);
      });
    });
  }

  async function restart(): Promise<void> {
    current.stdin?.end(); // if only the guardian was killed, this stops the server
    current = await retry(startAgain, { ...restarts, signal: stopping.signal });
    watch();
  }

  async function startAgain(): Promise<ChildProcess> {
    if (findHolder(folder) !== undefined) throw new Error('the previous server is still running');
    const started = await startServer(folder, server.port);
    if ('failure' in started) throw new Error(started.failure);
    return started.child;
  }

  watch();
  return async () => {
    stopping.abort();
    await restarting;
    await stopServer(current, folder);
  };
}
