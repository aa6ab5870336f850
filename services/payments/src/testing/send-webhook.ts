import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { RunningPayments } from './running-payments.js';
import { signedWebhook, type WebhookOptions } from './signed-webhook.js';

/** Sends a webhook of the payment provider as the gateway forwards it. Further headers replace the signed ones. */
export async function sendWebhook(
  payments: RunningPayments,
  body: unknown,
  options: WebhookOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const response = await forwardWebhook(payments, body, options);
  return { status: response.status, body: await response.json() };
}

/** The response with its headers, which the gateway reads. */
export function forwardWebhook(
  { url, database, clock }: RunningPayments,
  body: unknown,
  options: WebhookOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const caller = { type: 'system', id: 'gateway', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  const gateway = callerSigner({ secret: database.internalSecret, clock });
  const { bytes, headers } = signedWebhook(body, options);
  return fetch(`${url}/api/v1/webhooks/payment-provider`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [callerHeader]: gateway.sign({ caller }, 'payments'),
      ...headers,
      ...options.headers,
    },
    body: bytes,
  });
}
