import { setTimeout as pause } from 'node:timers/promises';
import { CannotStart } from '../data-folder/index.js';

/** Long enough for migrations of a large database. */
const readyTimeoutMs = 120_000;
const requestTimeoutMs = 3_000;
const pollMs = 50;

/** Resolves once the URL responds with a 2xx status. */
export async function waitUntilReady(name: string, url: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs;
  while (!(await isReady(url))) {
    if (performance.now() > deadline)
      throw new CannotStart(`${name} was not ready within ${readyTimeoutMs / 1_000} s; its log says why.`);
    await pause(pollMs, undefined, { signal });
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(requestTimeoutMs) })).ok;
  } catch {
    return false; // not listening yet
  }
}
