import { createHmac } from 'node:crypto';
import type { RawBody } from '@holdfast/contracts/shapes';
import { systemClock } from '@holdfast/kernel/context';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { apiPrefix } from '@holdfast/http/server';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { webhookSecret, type RunningPayments } from './running-payments.js';

export type WebhookOptions = {
  readonly messageId?: string;
  readonly secret?: string;
  /** Milliseconds before now. */
  readonly ageMs?: number;
  readonly prefix?: 'webhook' | 'svix';
};

let messages = 0;

/** A message id that no other webhook of this process has. */
export function newMessageId(): string {
  messages += 1;
  return `msg_${process.pid}_${messages}`;
}

/** A webhook as the provider signs it. The signature is computed here and not by the library that verifies it. */
export function signedWebhook(
  body: unknown,
  options: WebhookOptions = {},
): RawBody & { readonly headers: Record<string, string> } {
  const { messageId = newMessageId(), secret = webhookSecret, ageMs = 0, prefix = 'webhook' } = options;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = String(Math.floor((systemClock().epochMs() - ageMs) / 1_000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${messageId}.${timestamp}.${text}`).digest('base64');
  return {
    bytes: Buffer.from(text),
    headers: {
      [`${prefix}-id`]: messageId,
      [`${prefix}-timestamp`]: timestamp,
      [`${prefix}-signature`]: `v1,${signature}`,
    },
  };
}

/** Sends a signed webhook over HTTP, as the gateway passes it on. */
export async function sendWebhook({ url, database, clock }: RunningPayments, body: unknown): Promise<unknown> {
  const { bytes, headers } = signedWebhook(body);
  const caller = { type: 'anonymous', id: 'anonymous', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  const signed = callerSigner({ secret: database.internalSecret, clock }).sign({ caller }, 'payments');
  const response = await fetch(`${url}${apiPrefix}/webhooks/payment-provider`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', [callerHeader]: signed },
    body: bytes,
  });
  return { status: response.status, body: await response.json() };
}
