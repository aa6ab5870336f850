import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { contextOf } from './traceparent.js';

/** The name of the instrumentation: all spans are started by the platform itself. */
const tracerName = 'holdfast';

type SpanFacts = {
  /** Of bounded variety, such as a route or a message type; ids are attributes. */
  readonly name: string;
  readonly attributes: Attributes;
};

type ReceivedRequest = {
  readonly method: string;
  readonly traceparent: string | undefined;
  /** Whether the sender is a process of the platform. */
  readonly isFromPlatform: boolean;
};

type Response = { readonly route: string; readonly status: number; readonly attributes: Attributes };

export type RequestSpan = {
  /** Runs the rest of the request inside the span. */
  readonly run: (rest: () => void) => void;
  readonly end: (response: Response) => void;
};

const failureStatusMin = 500;

/**
 * The span of a received request. A request from outside begins its own trace, which links to the sender's: a client must choose
 * neither our trace ids nor what is sampled. A request from the platform continues its trace; one outside of any, such as a health
 * check, gets no span.
 */
export function startRequestSpan({ method, traceparent, isFromPlatform }: ReceivedRequest): RequestSpan | undefined {
  const sender = contextOf(traceparent);
  const senderSpan = trace.getSpanContext(sender);
  if (isFromPlatform && senderSpan === undefined) return undefined;
  const links: Link[] = isFromPlatform || senderSpan === undefined ? [] : [{ context: senderSpan }];
  const parent = isFromPlatform ? sender : ROOT_CONTEXT;
  const attributes = { 'http.request.method': method };
  const span = tracer().startSpan(method, { kind: SpanKind.SERVER, attributes, links }, parent);
  return {
    run: (rest) => context.with(trace.setSpan(parent, span), rest),
    end: ({ route, status, attributes: facts }) => {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status, ...facts });
      if (status >= failureStatusMin) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Work that a stored or received `traceparent` caused. Without one it begins a new trace. */
export type CausedWork = SpanFacts & { readonly kind: 'consumer' | 'internal'; readonly traceparent: string | undefined };

const kinds = { consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const;

export function inCausedSpan<Result>(
  { name, attributes, kind, traceparent }: CausedWork,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = contextOf(traceparent);
  return runIn(tracer().startSpan(name, { kind: kinds[kind], attributes }, parent), parent, work);
}

/** A call to another process. Calls outside of traces, such as calls by jobs and health checks, get no span. */
export function inClientSpan<Result>({ name, attributes }: SpanFacts, work: () => Promise<Result>): Promise<Result> {
  if (trace.getActiveSpan() === undefined) return work();
  return runIn(tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }), context.active(), work);
}

/** Marks the active span as failed, for work that handles its errors itself. */
export function recordFailure(error: unknown): void {
  const span = trace.getActiveSpan();
  if (span !== undefined) markFailed(span, error);
}

/** Adds what is known only when the work is done. */
export function addSpanAttributes(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Asked for each span, because tracing may begin after this module was loaded. */
function tracer(): Tracer {
  return trace.getTracer(tracerName);
}

async function runIn<Result>(span: Span, parent: Context, work: () => Promise<Result>): Promise<Result> {
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Only the kind of the error: its message may name what must not leave the platform. The log has the whole error. */
function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', typeOf(error));
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
