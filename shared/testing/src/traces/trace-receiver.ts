import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const attributes = z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }));

const exportRequest = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes,
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
              status: z.object({ code: z.number().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

type Attributes = Readonly<Record<string, unknown>>;
type WireSpan = z.output<typeof exportRequest>['resourceSpans'][number]['scopeSpans'][number]['spans'][number];

export type ReceivedSpan = Omit<WireSpan, 'attributes'> & { readonly attributes: Attributes; readonly resource: Attributes };

/** An OTLP/HTTP receiver that keeps the spans it gets. */
export type TraceReceiver = {
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  /** Refuses exports for good, which the exporter does not retry, until it is called with false. */
  readonly refuse: (isRefusing: boolean) => void;
  readonly close: () => Promise<void>;
};

const badRequest = 400;

export async function openTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  let isRefusing = false;
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body: unknown = JSON.parse(await text(request));
    if (isRefusing || request.url !== '/v1/traces') return badRequest;
    spans.push(...spansOf(body));
    return 200;
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => [...spans],
    refuse: (refusing) => {
      isRefusing = refusing;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function spansOf(body: unknown): readonly ReceivedSpan[] {
  return exportRequest
    .parse(body)
    .resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap((scope) =>
        scope.spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes), resource: valuesOf(resource.attributes) })),
      ),
    );
}

/** Each value is wrapped in an object that names its type: `{ stringValue: 'x' }`. */
function valuesOf(list: z.output<typeof attributes>): Attributes {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}
