import type { Clock } from '@holdfast/shared/context';
import { Pool, type Dispatcher } from 'undici';
import type { WebhookTarget } from '../options.js';
import type { PendingWebhook } from '../store/records.js';
import { signEscrowWebhook, signPaymentWebhook } from './sign.js';

/** Sends a webhook once and says whether it was taken. */
export type Poster = {
  readonly post: (webhook: PendingWebhook) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

const paths = { escrow: '/webhooks/escrow-provider', payment: '/webhooks/payment-provider' } as const;
const answerTimeoutMs = 15_000;

export function createPoster(target: WebhookTarget, clock: Clock, connections: number): Poster {
  const { origin, pathname } = new URL(target.gatewayUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, { connections, headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs });

  const signatureOf = ({ id, receiver, body }: PendingWebhook): Readonly<Record<string, string>> =>
    receiver === 'escrow'
      ? signEscrowWebhook(body, target.escrowSecret)
      : signPaymentWebhook({ id, body, atMs: clock.epochMs() }, target.paymentSecret);

  const post = (webhook: PendingWebhook): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = {
        method: 'POST',
        path: prefix + paths[webhook.receiver],
        headers: { 'content-type': 'application/json', ...signatureOf(webhook) },
        body: webhook.body,
      } as const;
      pool.dispatch(request, statusOnly(resolve, reject));
    });

  return {
    post: async (webhook) => {
      try {
        const status = await post(webhook);
        return status >= 200 && status <= 299;
      } catch {
        return false;
      }
    },
    stop: () => pool.destroy(),
  };
}

/** Of an answer nothing but its status counts, so nothing is made to hold the rest. */
function statusOnly(resolve: (status: number) => void, reject: (error: Error) => void): Dispatcher.DispatchHandler {
  let status = 0;
  return {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, statusCode) => {
      status = statusCode;
    },
    onResponseData: () => undefined,
    onResponseEnd: () => resolve(status),
    onResponseError: (_controller, error) => reject(error),
  };
}
