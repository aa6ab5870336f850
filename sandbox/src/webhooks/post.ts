import { Pool, type Dispatcher } from 'undici';
import type { Clock } from '@holdfast/kernel/context';
import type { WebhookTarget } from '../options.js';
import type { PendingWebhook } from '../store/records.js';
import { signEscrowWebhook, signPaymentWebhook } from './sign.js';

/** Sends a webhook once. */
export type Poster = {
  /** Whether the response was 2xx. */
  readonly post: (webhook: PendingWebhook) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

const paths = { escrow: '/webhooks/escrow-provider', payment: '/webhooks/payment-provider' } as const;
const connectTimeoutMs = 10_000;
const responseTimeoutMs = 15_000;
/** Shorter than the gateway's keep-alive timeout, so that no connection is used that the gateway is closing. */
const keepAliveMs = 60_000;

export function createPoster(target: WebhookTarget, clock: Clock, connectionsMax: number): Poster {
  const { origin, pathname } = new URL(target.gatewayUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: responseTimeoutMs,
    bodyTimeout: responseTimeoutMs,
    keepAliveTimeout: keepAliveMs,
  });

  const signatureOf = ({ id, receiver, body }: PendingWebhook): readonly string[] =>
    receiver === 'escrow'
      ? signEscrowWebhook(body, target.escrowSecret)
      : signPaymentWebhook({ id, body, atMs: clock.epochMs() }, target.paymentSecret);

  const send = (webhook: PendingWebhook): Promise<number> => {
    const path = prefix + paths[webhook.receiver];
    const headers = ['content-type', 'application/json', ...signatureOf(webhook)];
    return statusOf(pool, { method: 'POST', path, headers, body: webhook.body });
  };

  return {
    post: (webhook) =>
      send(webhook).then(
        (status) => status >= 200 && status <= 299,
        () => false,
      ),
    // Webhooks in flight are aborted; they are still in the store and are sent again after the next start.
    stop: () => pool.destroy(),
  };
}

/** The status of the response. Nothing reads its body, so undici's `dispatch` makes no stream of it. */
function statusOf(pool: Pool, request: Dispatcher.DispatchOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(request, {
      // Without this function undici expects its older interface.
      onRequestStart: () => undefined,
      // It is called for announcements (1xx) first.
      onResponseStart: (_controller, code) => {
        status = code;
      },
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
