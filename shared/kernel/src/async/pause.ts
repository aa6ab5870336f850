import { setTimeout as delay } from 'node:timers/promises';

/** Waits for this time. Rejects once the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal });
}
