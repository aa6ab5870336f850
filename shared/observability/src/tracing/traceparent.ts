import { context, propagation, ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';

const header = 'traceparent';

/**
 * The active span as a W3C `traceparent`, to be stored or sent with what the span causes. Undefined outside of spans and while tracing
 * is off.
 */
export function activeTraceparent(): string | undefined {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers[header];
}

/** The header that continues the active trace in another process of the platform. Empty outside of spans. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const traceparent = activeTraceparent();
  return traceparent === undefined ? {} : { [header]: traceparent };
}

/** The fields of a log line that is written inside a span. */
export function traceFields(): Record<string, string> {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** The context of a stored or received `traceparent`. An invalid one is ignored, and so is every one while tracing is off. */
export function contextOf(traceparent: string | undefined): Context {
  return traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { [header]: traceparent });
}

/** Runs work that belongs to no single trace, such as a batch of messages from many, outside of the caller's span. */
export function outsideTraces<Result>(work: () => Result): Result {
  return context.with(ROOT_CONTEXT, work);
}

/**
 * A function that runs in the span that is active now, wherever it is called: in a batch, or by an event emitter. See ADR 0063.
 */
export function inPresentSpan<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
  return context.bind(context.active(), work);
}
