import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a call: its process dies before or after the effect (no response), or its response is changed. */
export type Interception =
  | { readonly kind: 'no-request' }
  | { readonly kind: 'no-response' }
  | { readonly kind: 'changed'; readonly change: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> };

export type ProviderProxy = {
  readonly url: string;
  /** Intercepts the next call of this form, such as `POST /payouts`. */
  readonly interceptNext: (call: RegExp, interception: Interception) => void;
  /** The calls so far, as method and path. */
  readonly calls: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Stands between the service and the payment provider. */
export async function startProviderProxy(targetUrl: string): Promise<ProviderProxy> {
  const planned: { readonly call: RegExp; readonly interception: Interception }[] = [];
  const calls: string[] = [];
  const interceptionOf = ({ method = '', url = '' }: IncomingMessage): Interception | undefined => {
    const call = `${method} ${url}`;
    calls.push(call);
    const index = planned.findIndex((each) => each.call.test(call));
    return index < 0 ? undefined : planned.splice(index, 1)[0]?.interception;
  };
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const interception = interceptionOf(request);
    if (interception?.kind === 'no-request') return;
    const { status, text } = await send(targetUrl, request);
    if (interception?.kind === 'no-response') return;
    const body = interception?.kind === 'changed' ? changed(text, interception.change) : text;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    interceptNext: (call, interception) => void planned.push({ call, interception }),
    calls,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function send(targetUrl: string, request: IncomingMessage): Promise<{ readonly status: number; readonly text: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const response = await fetch(`${targetUrl}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
  return { status: response.status, text: await response.text() };
}

function changed(text: string, change: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): string {
  return JSON.stringify(change(JSON.parse(text) as Readonly<Record<string, unknown>>));
}
