import type { ChildProcess } from 'node:child_process';
import { retry } from '@holdfast/kernel/async';
import type { DataFolder } from './data-folder.js';
import { findHolder, startServer, stopServer } from './server-process.js';

export type RunningServer = { readonly child: ChildProcess; readonly port: number };

/** In a row; a server that then still does not start needs a person. */
const restarts = { attemptsMax: 10, firstDelayMs: 500, delayMsMax: 5_000 };

/**
 * Starts the server again, on the same port, when it ends without being asked: killed by hand, or by a machine short of
 * memory. The pools of the services find it again by themselves.
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
    current.stdin?.end(); // if only its guardian died, this ends the server itself
    current = await retry(startAgain, { ...restarts, signal: stopping.signal });
    watch();
  }

  async function startAgain(): Promise<ChildProcess> {
    if (findHolder(folder) !== undefined) throw new Error('the previous server has not ended yet');
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
