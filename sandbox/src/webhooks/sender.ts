import type { Clock, Log } from '@holdfast/shared/context';
import { Pool } from 'undici';
import type { WebhookTarget } from '../options.js';
import type { PendingWebhook } from '../store/records.js';
import type { Store } from '../store/store.js';
import { signEscrowWebhook, signPaymentWebhook } from './sign.js';

/** How long after a failure it is tried again; after the last one it is given up. */
const retryDelaysMs = {
  escrow: [1_000, 5_000, 30_000, 120_000, 600_000],
  payment: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000],
} as const;

const paths = { escrow: '/webhooks/escrow-provider', payment: '/webhooks/payment-provider' } as const;
const answerTimeoutMs = 15_000;
const inFlightMax = 16;

export type WebhookSender = {
  /** Sends what is due and has not been sent; called whenever there is something new. */
  readonly wake: (webhook: PendingWebhook) => void;
  readonly stop: () => Promise<void>;
};

export type SenderDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log; readonly target: WebhookTarget };

/** Delivers every webhook at least once: it stays in the store until it was taken or given up. */
export function startWebhookSender({ store, clock, log, target }: SenderDeps): WebhookSender {
  const { origin, pathname } = new URL(target.gatewayUrl);
  const pool = new Pool(origin, { connections: inFlightMax, headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs });
  const timers = new Set<NodeJS.Timeout>();
  const stopping = new AbortController();
  let waiting: string[] = [];
  let inFlight = 0;

  const send = async ({ id, receiver, body }: PendingWebhook): Promise<boolean> => {
    const signature =
      receiver === 'escrow'
        ? signEscrowWebhook(body, target.escrowSecret)
        : signPaymentWebhook({ id, body, atMs: clock.epochMs() }, target.paymentSecret);
    const response = await pool.request({
      method: 'POST',
      path: pathname.replace(/\/$/, '') + paths[receiver],
      headers: { 'content-type': 'application/json', ...signature },
      body,
      signal: stopping.signal,
    });
    await response.body.dump();
    return response.statusCode >= 200 && response.statusCode <= 299;
  };

  const deliver = async (id: string): Promise<void> => {
    const webhook = store.find('webhooks', id);
    if (webhook === undefined) return;
    // Nobody may hear of what a kill could still undo.
    await store.durable();
    const isTaken = await send(webhook).catch(() => false);
    if (stopping.signal.aborted) return;
    const delayMs = isTaken ? undefined : retryDelaysMs[webhook.receiver][webhook.attempts];
    const draft = store.draft();
    if (delayMs === undefined) draft.remove('webhooks', id);
    else draft.put('webhooks', id, { ...webhook, attempts: webhook.attempts + 1 });
    draft.commit();
    if (delayMs !== undefined) later(id, delayMs);
    else if (!isTaken) log.warn({ webhookId: id }, 'webhook given up');
  };

  const later = (id: string, delayMs: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      enqueue(id);
    }, delayMs);
    timers.add(timer);
  };

  const enqueue = (id: string): void => {
    waiting.push(id);
    sendNext();
  };

  const sendNext = (): void => {
    const id = inFlight < inFlightMax ? waiting.shift() : undefined;
    if (id === undefined || stopping.signal.aborted) return;
    inFlight += 1;
    const finished = (): void => {
      inFlight -= 1;
      sendNext();
    };
    deliver(id).then(finished, (error: unknown) => {
      log.error({ webhookId: id, error }, 'webhook could not be sent');
      finished();
    });
  };

  for (const webhook of store.all('webhooks')) enqueue(webhook.id);

  return {
    wake: ({ id }) => enqueue(id),
    stop: async () => {
      stopping.abort();
      waiting = [];
      for (const timer of timers) clearTimeout(timer);
      await pool.destroy();
    },
  };
}
