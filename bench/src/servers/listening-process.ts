import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { z } from 'zod';
import { stopChild } from './platform-process.js';

export type ListeningProcess = { readonly url: string; readonly pid: number; readonly stop: () => Promise<void> };

const startTimeoutMs = 30_000;
const portMessage = z.tuple([z.int()]);

/**
 * A program of the benchmark in its own process. It sends the port it listens on over the IPC channel, and stops when the
 * channel closes. Its output goes to the file, where one is given.
 */
export async function startListening(program: string, args: readonly string[], logFile?: string): Promise<ListeningProcess> {
  const output = logFile === undefined ? undefined : openSync(logFile, 'w');
  const child = fork(program, args, { stdio: ['ignore', output ?? 'inherit', 'inherit', 'ipc'] });
  if (output !== undefined) closeSync(output);
  const ready = await once(child, 'message', { signal: AbortSignal.timeout(startTimeoutMs) });
  const [port] = portMessage.parse(ready.slice(0, 1));
  if (child.pid === undefined) throw new Error(`${program} has no process`);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => stopChild(child) };
}
