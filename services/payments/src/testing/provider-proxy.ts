import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ProxiedResponse = { readonly status: number; readonly body: unknown };

/** Changes a response of the provider, or delays it. */
export type Change = (
  request: { readonly method: string; readonly path: string },
  response: ProxiedResponse,
) => ProxiedResponse | Promise<ProxiedResponse>;

/** The request is not forwarded, its response is lost, or the response is changed. */
export type Interception = 'no-request' | 'no-response' | Change;

/** A payment provider that lies or loses calls: the sandbox behind a server that may change its responses. */
export type ProviderProxy = {
  readonly url: string;
  readonly setTarget: (url: string) => void;
  /** Changes every response. Undefined passes the responses on. */
  readonly setChange: (change: Change | undefined) => void;
  /** Intercepts the next request of this form, such as `POST /payouts`. */
  readonly interceptNext: (form: RegExp, interception: Interception) => void;
  /** Method and path of each request. */
  readonly requests: readonly string[];
  readonly stop: () => Promise<void>;
};

export async function startProviderProxy(): Promise<ProviderProxy> {
  const state = { target: '', change: undefined as Change | undefined };
  const planned: { readonly form: RegExp; readonly interception: Interception }[] = [];
  const requests: string[] = [];
  const interceptionOf = (request: string): Interception | undefined => {
    const index = planned.findIndex(({ form }) => form.test(request));
    return index < 0 ? state.change : planned.splice(index, 1)[0]?.interception;
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/' } = request;
    const name = `${method} ${path}`;
    requests.push(name);
    const interception = interceptionOf(name);
    if (interception === 'no-request') return;
    const given = await forward(state.target, request);
    if (interception === 'no-response') return;
    const { status, text } =
      interception === undefined ? given : await changed(given, (body) => interception({ method, path }, body));
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setTarget: (url) => void (state.target = url),
    setChange: (change) => void (state.change = change),
    interceptNext: (form, interception) => void planned.push({ form, interception }),
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type RawResponse = { readonly status: number; readonly text: string };

async function forward(target: string, request: IncomingMessage): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { authorization = '' } = request.headers;
  const response = await fetch(`${target}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': 'application/json' },
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
  return { status: response.status, text: await response.text() };
}

async function changed(
  { status, text }: RawResponse,
  change: (response: ProxiedResponse) => ProxiedResponse | Promise<ProxiedResponse>,
): Promise<RawResponse> {
  const response = await change({ status, body: JSON.parse(text) });
  return { status: response.status, text: JSON.stringify(response.body) };
}
