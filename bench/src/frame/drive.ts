import { performance } from 'node:perf_hooks';
import type { Sample } from './results.js';
import { quantile } from './statistics.js';

type Load = {
  /** Concurrent calls: each caller starts its next call when the last one has returned. */
  readonly callers: number;
  readonly durationMs: number;
  readonly call: () => Promise<unknown>;
  /** Waits for work that the calls have started; the measured time includes it. */
  readonly settle?: () => Promise<void>;
};

/** Calls a function from this process with constant concurrency. */
export async function drive({ callers, durationMs, call, settle }: Load): Promise<Sample & { readonly cpuMicros: number }> {
  const latencies: number[] = [];
  const failures: unknown[] = [];
  const cpuMicros = startCpuClock();
  const begunAt = performance.now();
  const endsAt = begunAt + durationMs;
  const runClient = async (): Promise<void> => {
    for (let calledAt = begunAt; calledAt < endsAt;) {
      await call().catch((error: unknown) => failures.push(error));
      const respondedAt = performance.now();
      latencies.push(respondedAt - calledAt);
      calledAt = respondedAt;
    }
  };
  await Promise.all(Array.from({ length: callers }, runClient));
  await settle?.();
  const seconds = (performance.now() - begunAt) / 1_000;
  if (failures.length > 0) console.error(`the first of ${failures.length} failures:`, failures[0]);
  const count = latencies.length;
  return {
    perSecond: (count - failures.length) / seconds,
    ...latencyOf(latencies),
    cpuMicros: cpuMicros() / count,
    errors: failures.length,
  };
}

/** Microseconds of processor time that this process has used since. */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}

export function latencyOf(latenciesMs: readonly number[]): Pick<Sample, 'p50Ms' | 'p99Ms'> {
  const sorted = Float64Array.from(latenciesMs).sort();
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}
