import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { Lifecycle } from './lifecycle.js';

type Part = { readonly name: string; readonly stop: () => Promise<void> };
type LifecycleOptions = { readonly log: Log; readonly stopTimeoutMs?: number };

/** After the time limit each remaining part still gets this long, so that it can close its connections. */
const partStopMsMin = 100;
/** The shares of the time limit for open requests, and for open requests that wait. The other parts need little time, but they need it. */
const drainShare = 0.6;
const graceShare = 0.4;

export function createLifecycle({ log, stopTimeoutMs = 10_000 }: LifecycleOptions): Lifecycle {
  const parts: Part[] = [];
  const running = new Map<Promise<unknown>, string>();
  const announced = new AbortController();
  const abort = new AbortController();
  setMaxListeners(0, announced.signal, abort.signal); // every part of every service may listen
  let stopping: Promise<void> | undefined;

  const background = (name: string, work: Promise<unknown>): void => {
    const watched = work
      .catch((error: unknown) => log.error({ work: name, error }, 'background work failed'))
      .finally(() => running.delete(watched));
    running.set(watched, name);
  };

  const announceStop = (reason: string): void => {
    if (!announced.signal.aborted) announced.abort(new Error(`stopping: ${reason}`));
  };

  const stopAll = async (reason: string): Promise<void> => {
    log.info({ reason, parts: parts.length }, 'stopping');
    const startedAt = performance.now();
    const endsAt = startedAt + stopTimeoutMs - partStopMsMin * parts.length;
    // Background work may use any part, so it gets a share of the time before the parts stop.
    const drainEndsAt = startedAt + stopTimeoutMs / 3;
    announceStop(reason);
    abort.abort(new Error(`stopping: ${reason}`));
    for (const [index, part] of parts.toReversed().entries()) {
      if (index > 0 && running.size > 0) await settlesWithin(Promise.all(running.keys()), msUntil(drainEndsAt));
      await stopPart(part, endsAt, log);
    }
    if (running.size > 0) await settlesWithin(Promise.all(running.keys()), msUntil(endsAt));
    log.info({ reason, durationMs: Math.round(performance.now() - startedAt), unfinished: [...running.values()] }, 'stopped');
  };

  return {
    onStop: (name, stop) => void parts.push({ name, stop }),
    background,
    announceStop,
    stopAnnounced: announced.signal,
    signal: abort.signal,
    drainTimeoutMs: Math.round(stopTimeoutMs * drainShare),
    stopGraceMs: Math.round(stopTimeoutMs * graceShare),
    stop: (reason) => (stopping ??= stopAll(reason)),
  };
}

/** A part that fails or hangs must not prevent the others from stopping. */
async function stopPart(part: Part, endsAt: number, log: Log): Promise<void> {
  const isStopped = await settlesWithin(stopOrLog(part, log), msUntil(endsAt));
  if (!isStopped) log.error({ part: part.name }, 'part did not stop in time');
}

async function stopOrLog({ name, stop }: Part, log: Log): Promise<void> {
  try {
    await stop();
  } catch (error) {
    log.error({ part: name, error }, 'part did not stop cleanly');
  }
}

function msUntil(endsAt: number): number {
  return Math.max(partStopMsMin, endsAt - performance.now());
}
