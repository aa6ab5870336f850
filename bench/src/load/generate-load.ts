import { setTimeout as pause } from 'node:timers/promises';
import { uniformPicker } from '../frame/pick.js';
import { openConnection, type Tally, type WireRequest } from './connection.js';
import { loadTask, type LoadResult, type LoadTask } from './task.js';

/** A separate process, so that sending requests takes no time of the event loop under test. */
process.on('message', (message) => {
  generate(loadTask.parse(message)).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

/** How many different requests each connection makes before it begins again. */
const requestsPerConnection = 100;

async function generate(task: LoadTask): Promise<LoadResult> {
  const tally: Tally = { responses: 0, errors: 0, latenciesMs: [] };
  const url = new URL(task.url);
  const begunAt = performance.now();
  const open = Array.from({ length: task.connections }, (_, index) => openConnection(url, requestsOf(task, index + 1), tally));
  await pause(task.seconds * 1_000);
  const seconds = (performance.now() - begunAt) / 1_000;
  for (const connection of open) connection.close();
  return { ...tally, seconds };
}

function requestsOf(task: LoadTask, seed: number): readonly WireRequest[] {
  const pick = uniformPicker(task.paths, seed);
  return Array.from({ length: requestsPerConnection }, () => wireRequestOf(task, pick()));
}

const uuidForm = '00000000-0000-4000-8000-000000000000';

function wireRequestOf({ url, method, headers, freshHeader, body }: LoadTask, path: string): WireRequest {
  const own = { host: new URL(url).host, ...headers, 'content-length': Buffer.byteLength(body).toString() };
  const lines = Object.entries(freshHeader === undefined ? own : { ...own, [freshHeader]: uuidForm });
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  const freshAt = freshHeader === undefined ? undefined : head.lastIndexOf(uuidForm);
  return { bytes: Buffer.from(`${head}\r\n\r\n${body}`), freshAt };
}
