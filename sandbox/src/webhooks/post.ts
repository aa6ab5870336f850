import type { Clock } from '@holdfast/shared/context';
import { Pool } from 'undici';
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

  return {
    post: async (webhook) => {
      try {
        const response = await pool.request({
          method: 'POST',
          path: prefix + paths[webhook.receiver],
          headers: { 'content-type': 'application/json', ...signatureOf(webhook) },
          body: webhook.body,
        });
        await response.body.dump();
        return response.statusCode >= 200 && response.statusCode <= 299;
      } catch {
        return false;
      }
    },
    stop: () => pool.destroy(),
  };
}
