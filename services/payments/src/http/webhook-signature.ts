import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { RawBody } from '@holdfast/contracts/shapes';
import type { Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';

export type SignatureVerifier = {
  /**
   * Returns the id of the message, and whether its signature is valid. WEBHOOK_SIGNATURE_INVALID if no secret has signed it, or its
   * time is too far away.
   */
  readonly verify: (received: RawBody) => { readonly messageId: string | undefined; readonly isSigned: boolean };
};

/**
 * Verifies webhooks according to Standard Webhooks, over the raw bytes. Any of the secrets may have signed, so that a secret can be
 * replaced without losing events. Without a secret nothing is verified.
 */
export function createSignatureVerifier(secrets: string | undefined, log: Log): SignatureVerifier {
  if (secrets === undefined) {
    log.warn({}, 'PAYMENT_WEBHOOK_SECRET is not set: the signatures of payment provider events are not verified');
    return { verify: ({ headers }) => ({ messageId: textOf(headers, `${prefixOf(headers)}-id`), isSigned: false }) };
  }
  const webhooks = secretsIn(secrets).map((secret) => new Webhook(secret));
  return {
    verify: ({ bytes, headers }) => {
      const prefix = prefixOf(headers);
      const [id, timestamp, signature] = (['id', 'timestamp', 'signature'] as const).map((name) =>
        textOf(headers, `${prefix}-${name}`),
      );
      if (id === undefined || timestamp === undefined || signature === undefined) throw new AppError('WEBHOOK_SIGNATURE_INVALID');
      const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (!webhooks.some((webhook) => isSignedBy(webhook, body, signed))) throw new AppError('WEBHOOK_SIGNATURE_INVALID');
      return { messageId: id, isSigned: true };
    },
  };
}

/** Several secrets are separated by spaces. */
export function secretsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((secret) => secret !== '');
}

export function isWebhookSecret(secret: string): boolean {
  if (!secret.startsWith('whsec_')) return false;
  try {
    return new Webhook(secret) instanceof Webhook;
  } catch {
    return false;
  }
}

/** The payment provider uses its delivery service's own header names for the same values. */
function prefixOf(headers: RawBody['headers']): 'webhook' | 'svix' {
  return headers['webhook-id'] === undefined && headers['svix-id'] !== undefined ? 'svix' : 'webhook';
}

function textOf(headers: RawBody['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isSignedBy(webhook: Webhook, body: Buffer, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
