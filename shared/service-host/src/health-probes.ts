import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import { withTimeout } from '@holdfast/kernel/async';
import type { DependencyHealthView } from '@holdfast/contracts/http';
import type { Job } from './service-definition.js';

/** Each throws when its part does not answer. */
export type Probes = Readonly<Record<string, (signal: AbortSignal) => Promise<void>>>;

export type HealthProbes = {
  /** What the last probes found, by name; empty before the first ones have ended. */
  readonly results: () => Readonly<Record<string, DependencyHealthView>>;
  readonly probeAll: () => Promise<void>;
  readonly job: Job;
};

/** With the time a probe may take, what is shown is never older than 15 s, also where it is handed on by another process. */
const everyMs = 5_000;
const timeoutMs = 2_000;

/** Asks every part in the background, so that asking how it is costs nothing. */
export function createHealthProbes(probes: Probes): HealthProbes {
  let results: Readonly<Record<string, DependencyHealthView>> = {};
  const probeAll = async (): Promise<void> => {
    const entries = Object.entries(probes).map(async ([name, probe]) => [name, await probed(probe)] as const);
    results = Object.fromEntries(await Promise.all(entries));
  };
  return { results: () => results, probeAll, job: { name: 'probe-health', everyMs, run: probeAll } };
}

async function probed(probe: Probes[string]): Promise<DependencyHealthView> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const timedOut = new Error('time limit reached');
  // What exactly is wrong is for the log of the part itself: here everybody may read along.
  const error = await withTimeout(probe(signal), timeoutMs, () => timedOut).then(
    () => undefined,
    (failure: unknown) => (failure === timedOut || signal.aborted ? 'it did not respond in time' : 'it is not ready'),
  );
  const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
  return error === undefined ? { status: 'up', latencyMs } : { status: 'down', latencyMs, error };
}

/** Whether whoever is at the address answers as it should. What it says is not read. */
export function httpProbe(url: URL, isUp: (status: number) => boolean): Probes[string] {
  return async (signal) => {
    const { statusCode, body } = await request(url, { signal });
    await body.dump();
    if (!isUp(statusCode)) throw new Error(`responded with ${statusCode}`);
  };
}
