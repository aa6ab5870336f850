import type { Log } from '@holdfast/kernel/context';
import { startTracing } from '@holdfast/observability';
import type { Lifecycle } from './lifecycle.js';

export type TracedProcess = {
  readonly service: string;
  readonly version?: string;
  readonly otelExporterOtlpEndpoint?: string | undefined;
  readonly traceSampleRatio: number;
  readonly log: Log;
  readonly lifecycle: Pick<Lifecycle, 'onStop'>;
};

/** Traces this process if its settings name a receiver. Call it before the parts start: it then stops after them. */
export async function traceProcess(options: TracedProcess): Promise<void> {
  const { otelExporterOtlpEndpoint: endpoint, traceSampleRatio: sampleRatio, lifecycle, ...given } = options;
  if (endpoint === undefined) return;
  const tracing = await startTracing({ ...given, endpoint, sampleRatio });
  lifecycle.onStop('traces', tracing.stop);
}
