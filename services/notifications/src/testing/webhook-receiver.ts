import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { EventRecord } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';

export type ReceivedWebhook = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: EventRecord & { readonly metadata: { readonly test?: boolean } };
};

type Reply = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A real HTTP server that a marketplace would run. */
export type WebhookReceiver = {
  readonly url: string;
  /** All requests, in the order of arrival. */
  readonly received: readonly ReceivedWebhook[];
  /** Waits until so many requests have arrived. */
  readonly has: (count: number) => Promise<readonly ReceivedWebhook[]>;
  /** How it responds from now on; a promise delays the response. */
  readonly respond: (reply: (webhook: ReceivedWebhook) => Reply | Promise<Reply>) => void;
  /** The largest number of requests that were open at the same time. */
  readonly openMax: () => number;
  readonly close: () => Promise<void>;
};

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let reply: (webhook: ReceivedWebhook) => Reply | Promise<Reply> = () => ({ status: 200 });
  let [open, openMax] = [0, 0];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1;
    openMax = Math.max(open, openMax);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const webhook = {
      headers: request.headers as ReceivedWebhook['headers'],
      body,
      event: JSON.parse(body) as ReceivedWebhook['event'],
    };
    received.push(webhook);
    const { status, headers = {}, body: text = '' } = await reply(webhook);
    open -= 1;
    response.writeHead(status, headers).end(text);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hooks`,
    received,
    has: async (count) => {
      await eventually(() => expect(received.length).toBeGreaterThanOrEqual(count));
      return received;
    },
    respond: (given) => void (reply = given),
    openMax: () => openMax,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Throws if the signature was not made with the secret. */
export function verify(webhook: ReceivedWebhook | undefined, secret: string): unknown {
  return new Webhook(secret).verify(webhook?.body ?? '', webhook?.headers ?? {});
}
