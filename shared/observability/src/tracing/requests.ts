import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes, type Link } from '@opentelemetry/api';
import { tracer } from './spans.js';
import { contextOf } from './traceparent.js';

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
 * The span of a received request. A request from outside begins a trace of its own, which links to the sender's: a client must choose
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
