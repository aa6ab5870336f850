import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import { withTimeout } from '@holdfast/kernel/async';
import type { DependencyHealthView } from '@holdfast/contracts/http';
import type { Job } from '@holdfast/work';

/** A probe throws when its dependency is not available. */
export type Probes = Readonly<Record<string, (signal: AbortSignal) => Promise<void>>>;

export type HealthProbes = {
  /** The results of the last probes by name; empty until the first ones have ended. */
  readonly results: () => Readonly<Record<string, DependencyHealthView>>;
  readonly probeAll: () => Promise<void>;
  readonly job: Job;
};

/** Interval plus timeout keep a result younger than 15 s, also when another process includes it in its own results every 5 s. */
const everyMsDefault = 5_000;
const timeoutMs = 2_000;

/** Probes every dependency in the background, so that reading the results causes no calls. */
export function createHealthProbes(probes: Probes, everyMs = everyMsDefault): HealthProbes {
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
  // The results are public, so they do not include the error itself.
  const error = await withTimeout(probe(signal), timeoutMs, () => timedOut).then(
    () => undefined,
    (failure: unknown) => (failure === timedOut || signal.aborted ? 'it did not respond in time' : 'it is not ready'),
  );
  const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
  return error === undefined ? { status: 'healthy', latencyMs } : { status: 'unhealthy', latencyMs, error };
}

type ProbeHeaders = () => Readonly<Record<string, string>>;

/** Checks the status code of a response. The body is discarded. `headersOf` is called for each request, because tokens expire. */
export function httpProbe(url: URL, isUp: (status: number) => boolean, headersOf: ProbeHeaders = () => ({})): Probes[string] {
  return async (signal) => {
    const { statusCode, body } = await request(url, { signal, headers: headersOf() });
    await body.dump();
    if (!isUp(statusCode)) throw new Error(`responded with ${statusCode}`);
  };
}
