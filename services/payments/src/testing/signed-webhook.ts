import { createHmac } from 'node:crypto';
import type { RawBody } from '@holdfast/contracts/shapes';
import { systemClock } from '@holdfast/kernel/context';
import { webhookSecret } from './running-payments.js';

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
