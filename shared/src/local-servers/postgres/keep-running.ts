import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataFolder } from './data-folder.js';
import { findHolder, startServer, stopServer } from './server-process.js';

export type RunningServer = { readonly child: ChildProcess; readonly port: number };

/** In a row; a server that then still does not start needs a person. */
const restartAttemptsMax = 10;
const restartPauseMs = 500;

/**
 * Starts the server again, on the same port, when it ends without being asked: killed by hand, or by a machine short of
 * memory. The pools of the services find it again by themselves.
 */
export function keepRunning(folder: DataFolder, server: RunningServer, onProgress: (fact: string) => void): () => Promise<void> {
  let current = server.child;
  let isStopping = false;
  let restarting: Promise<void> = Promise.resolve();

  function watch(): void {
    current.once('exit', () => {
      if (isStopping) return;
      onProgress('the database server ended unexpectedly; starting it again');
      restarting = restart().catch((error: unknown) =>
        onProgress(`the database server could not be started again: ${String(error)}`),
      );
    });
  }

  async function restart(): Promise<void> {
    current.stdin?.end(); // if only its guardian died, this ends the server itself
    let failure = '';
    for (let attempt = 1; attempt <= restartAttemptsMax && !isStopping; attempt += 1) {
      await pause(restartPauseMs * attempt);
      if (findHolder(folder) !== undefined) continue;
      const started = await startServer(folder, server.port);
      if ('child' in started) {
        current = started.child;
        watch();
        return;
      }
      failure = started.failure;
    }
    throw new Error(failure);
  }

  watch();
  return async () => {
    isStopping = true;
    await restarting;
    await stopServer(current, folder);
  };
}
