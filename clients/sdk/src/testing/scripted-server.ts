import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
};

/** Responds to a request: a body with its status, or whatever it does with the response. */
export type Responder = (received: Received, response: ServerResponse) => void;

export type ScriptedServer = {
  readonly url: string;
  readonly received: readonly Received[];
  /** The responders of the next requests, in order. One without a responder is answered with 500. */
  readonly reply: (...responders: readonly Responder[]) => void;
  readonly close: () => void;
};

export async function startScriptedServer(): Promise<ScriptedServer> {
  const received: Received[] = [];
  const script: Responder[] = [];
  const server = createServer((request, response) => {
    const respond = (sent: string): void => {
      const { method, url = '', headers } = request;
      const one = { method, url, headers, body: sent === '' ? undefined : (JSON.parse(sent) as unknown) };
      received.push(one);
      (script.shift() ?? json(500, { error: { code: 'INTERNAL_ERROR', message: 'nothing scripted' } }))(one, response);
    };
    text(request).then(respond, () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    reply: (...responders) => void script.push(...responders),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Responder {
  return (_received, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** A record in the envelope of routes outside orders and disputes. */
export const data = (record: unknown, status = 200): Responder => json(status, { data: record, meta: {} });
/** A record in the envelope of orders and disputes. */
export const success = (record: unknown, status = 200): Responder => data({ success: true, data: record }, status);

export function refusal(
  status: number,
  code: string,
  details: object = {},
  headers: Readonly<Record<string, string>> = {},
): Responder {
  return json(status, { error: { code, message: `refused with ${code}`, details } }, headers);
}

/** The connection breaks before the response. */
export const lost: Responder = (_received, response) => void response.socket?.destroy();
