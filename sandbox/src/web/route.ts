import type { IncomingHttpHeaders } from 'node:http';

export type WebRequest = {
  readonly headers: IncomingHttpHeaders;
  /** The path without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** Returns a signal that is aborted when the client disconnects. A function, because few routes need it. */
  readonly clientClosed: () => AbortSignal;
};

export type RouteResponse = {
  readonly status: number;
  /** Sent as JSON; absent means no body. */
  readonly json?: unknown;
  /** Sent as it is, instead of JSON. */
  readonly text?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set where the status does not say that the call had no effect. */
  readonly isRefusal?: boolean;
};

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** An Express path with parameters like `:id`. */
  readonly path: string;
  readonly handler: (request: WebRequest) => RouteResponse | Promise<RouteResponse>;
};

/** The parsed JSON body; undefined where it is not JSON. */
export function jsonOf({ body }: WebRequest): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
