import { createHmac } from 'node:crypto';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { webhookSecret, type RunningAdapter } from './running-adapter.js';

export type Signature = 'right' | 'wrong' | 'none';

/** Sends a webhook of the escrow provider as the gateway forwards it. */
export async function sendWebhook(adapter: RunningAdapter, body: string | Uint8Array, signature: Signature) {
  const response = await forwardWebhook(adapter, body, signature);
  return { status: response.status, body: await response.json() };
}

/** The response with its headers, which the gateway reads. */
export function forwardWebhook(
  adapter: RunningAdapter,
  body: string | Uint8Array,
  signature: Signature,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const caller = { type: 'system', id: 'gateway', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  const gateway = callerSigner({ secret: adapter.database.internalSecret, clock: systemClock() });
  const signed = createHmac('sha256', signature === 'right' ? webhookSecret : 'another')
    .update(body)
    .digest('hex');
  return fetch(`${adapter.first.url}/api/v1/webhooks/escrow-provider`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [callerHeader]: gateway.sign({ caller }, 'escrow-adapter'),
      ...(signature === 'none' ? {} : { 'x-escrow-signature': signed }),
      ...headers,
    },
    body,
  });
}
