import type { Tracing, TracingOptions } from './tracing.js';

/** Starts tracing for this process. Without an endpoint the SDK is not even loaded, and all spans are no-ops of its API. */
export async function startTracing({ endpoint, ...options }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return { stop: () => Promise.resolve() };
  const { exportTraces } = await import('./export-traces.js');
  return exportTraces({ ...options, endpoint });
}
