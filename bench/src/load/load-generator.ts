import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stopChild } from '../servers/platform-process.js';
import { loadResult, type LoadResult, type LoadTask } from './task.js';

/** One process for the whole run: the first requests of a fresh one are slow. */
export type LoadGenerator = {
  readonly run: (task: LoadTask) => Promise<LoadResult>;
  readonly stop: () => Promise<void>;
};

const program = fileURLToPath(new URL('../../dist/generate-load.js', import.meta.url));
const marginMs = 30_000;

export function startLoadGenerator(): LoadGenerator {
  const child = fork(program);
  return {
    run: async (task) => {
      const result = once(child, 'message', { signal: AbortSignal.timeout(task.seconds * 1_000 + marginMs) });
      child.send(task);
      return loadResult.parse((await result).at(0));
    },
    stop: () => stopChild(child),
  };
}
