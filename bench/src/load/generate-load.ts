import { randomUUID } from 'node:crypto';
import autocannon, { type Request } from 'autocannon';
import { uniformPicker } from '../frame/pick.js';
import { loadTask, type LoadResult, type LoadTask } from './task.js';

/** A process of its own, so that making requests takes no time from those who answer them. */
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
  const { url, connections, seconds } = task;
  const latenciesMs: number[] = [];
  let seed = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      seed += 1;
      client.setRequests(requestsOf(task, seed));
      client.on('response', (_status, _bytes, latencyMs) => void latenciesMs.push(latencyMs));
    },
  });
  return { answered: result['2xx'], seconds: result.duration, latenciesMs, errors: result.non2xx + result.errors };
}

function requestsOf({ method, paths, headers, freshHeader, body }: LoadTask, seed: number): Request[] {
  const pick = uniformPicker(paths, seed);
  const renew = (request: Request): Request =>
    freshHeader === undefined ? request : { ...request, headers: { ...headers, [freshHeader]: randomUUID() } };
  return Array.from({ length: requestsPerConnection }, () => {
    const request = { method, path: pick(), headers, body };
    return freshHeader === undefined ? request : { ...request, setupRequest: renew };
  });
}
