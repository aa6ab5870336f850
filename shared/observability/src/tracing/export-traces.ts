import { context, diag, DiagLogLevel, propagation, trace, type DiagLogger } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_NAMESPACE, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { Tracing, TracingOptions } from './tracing.js';

type Options = Omit<TracingOptions, 'endpoint'> & { readonly endpoint: string };

/** Spans that wait for their export. Further ones are dropped, so that a slow receiver costs a bounded amount of memory. */
const queueSpansMax = 8_192;
const batchSpansMax = 512;
const exportEveryMs = 1_000;
/** Retries included. Spans that no receiver takes for longer are dropped. */
const exportTimeoutMs = 2_000;
/** How long a process that stops waits for its last spans. */
const flushTimeoutMs = 2_500;

/** Registers the SDK with the API, so that spans are recorded and exported by OTLP/HTTP. Only `startTracing` imports this file. */
export function exportTraces(options: Options): Tracing {
  const { log, sampleRatio } = options;
  diag.setLogger(firstWarnings(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new TracerProvider({
    resource: resourceOf(options),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(exporterTo(options.endpoint), log),
        maxQueueSize: queueSpansMax,
        maxExportBatchSize: batchSpansMax,
        scheduledDelayMillis: exportEveryMs,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return { stop: () => stop(provider, log) };
}

function resourceOf({ service, version }: Options) {
  return resourceFromAttributes({
    [ATTR_SERVICE_NAME]: service,
    [ATTR_SERVICE_NAMESPACE]: 'holdfast',
    ...(version === undefined ? {} : { [ATTR_SERVICE_VERSION]: version }),
  });
}

function exporterTo(endpoint: string): SpanExporter {
  const base = endpoint.endsWith('/') ? endpoint : `${endpoint}/`;
  return new OTLPTraceExporter({ url: new URL('v1/traces', base).href, timeoutMillis: exportTimeoutMs });
}

/**
 * A receiver that is down costs its spans and nothing else. The first failed export is logged, and the number of lost spans once
 * the receiver is back.
 */
function reportFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let dropped = 0;
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ code, error }) => {
        if (code === ExportResultCode.SUCCESS) {
          if (dropped > 0) log.info({ droppedSpans: dropped }, 'traces are exported again');
          dropped = 0;
        } else {
          if (dropped === 0) log.warn({ error, spans: spans.length }, 'traces cannot be exported; their spans are dropped');
          dropped += spans.length;
        }
        done({ code: ExportResultCode.SUCCESS });
      }),
    shutdown: () => exporter.shutdown(),
  };
}

async function stop(provider: TracerProvider, log: Log): Promise<void> {
  const flushed = provider.shutdown().catch((error: unknown) => log.warn({ error }, 'the last traces could not be exported'));
  if (!(await settlesWithin(flushed, flushTimeoutMs))) log.warn({ flushTimeoutMs }, 'the last traces were not exported in time');
  trace.disable();
  context.disable();
  propagation.disable();
  diag.disable();
}

/** Each kind of warning of the SDK is logged once, such as that the queue is full. Texts that differ only in numbers are one kind. */
function firstWarnings(log: Log): DiagLogger {
  const seen = new Set<string>();
  const warn = (text: string): void => {
    const kind = text.replaceAll(/\d+/g, '#');
    if (seen.has(kind)) return;
    seen.add(kind);
    log.warn({ warning: text }, 'tracing reports a problem');
  };
  const ignore = (): void => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
