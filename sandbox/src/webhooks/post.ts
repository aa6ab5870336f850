import type { Clock } from '@holdfast/shared/context';
import { createCarrier, type AnswerController, type AnswerHandler } from '@holdfast/shared/http-connections';
import type { WebhookTarget } from '../options.js';
import type { PendingWebhook } from '../store/records.js';
import { signEscrowWebhook, signPaymentWebhook } from './sign.js';

/** Sends a webhook once and says whether it was taken. */
export type Poster = {
  readonly post: (webhook: PendingWebhook) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

const paths = { escrow: '/webhooks/escrow-provider', payment: '/webhooks/payment-provider' } as const;
const connectTimeoutMs = 10_000;
const answerTimeoutMs = 15_000;

export function createPoster(target: WebhookTarget, clock: Clock, connectionsMax: number): Poster {
  const url = new URL(target.gatewayUrl);
  const prefix = url.pathname.replace(/\/$/, '');
  const carrier = createCarrier({ url, connectionsMax, connectTimeoutMs, timeoutMs: answerTimeoutMs });
  const underWay = new Set<AnswerController>();

  const signatureOf = ({ id, receiver, body }: PendingWebhook): readonly string[] =>
    receiver === 'escrow'
      ? signEscrowWebhook(body, target.escrowSecret)
      : signPaymentWebhook({ id, body, atMs: clock.epochMs() }, target.paymentSecret);

  const post = (webhook: PendingWebhook): Promise<boolean> =>
    new Promise((resolve) => {
      const path = prefix + paths[webhook.receiver];
      const headers = ['content-type', 'application/json', ...signatureOf(webhook)];
      carrier.dispatch({ method: 'POST', path, headers, body: Buffer.from(webhook.body) }, statusOnly(underWay, resolve));
    });

  return {
    post,
    stop: () => {
      for (const { abort } of underWay) abort(new Error('the sandbox is stopping'));
      return carrier.close();
    },
  };
}

/** Of an answer nothing but its status counts, so nothing is made to hold the rest. */
function statusOnly(underWay: Set<AnswerController>, resolve: (isTaken: boolean) => void): AnswerHandler {
  let isTaken = false;
  return {
    onRequestStart: (controller) => void underWay.add(controller),
    onResponseStart: (_controller, status) => {
      isTaken = status >= 200 && status <= 299;
    },
    onResponseData: () => undefined,
    onResponseEnd: (controller) => {
      underWay.delete(controller);
      resolve(isTaken);
    },
    onResponseError: (controller) => {
      underWay.delete(controller);
      resolve(false);
    },
  };
}
