import { createHmac } from 'node:crypto';

const paymentSecretPrefix = 'whsec_';

/** Hex HMAC of the body in the escrow provider's header. Returns header names and values alternately. */
export function signEscrowWebhook(body: string, secret: string | undefined): readonly string[] {
  if (secret === undefined) return [];
  return ['x-escrow-signature', createHmac('sha256', secret).update(body).digest('hex')];
}

type Message = { readonly id: string; readonly body: string; readonly atMs: number };

/** Standard Webhooks under the provider's header names: base64 HMAC over id, time and body. */
export function signPaymentWebhook({ id, body, atMs }: Message, secrets: string | undefined): readonly string[] {
  const timestamp = String(Math.floor(atMs / 1_000));
  const headers = ['svix-id', id, 'svix-timestamp', timestamp];
  const secret = secrets?.split(' ')[0];
  if (secret === undefined || secret === '') return headers;
  const key = Buffer.from(secret.startsWith(paymentSecretPrefix) ? secret.slice(paymentSecretPrefix.length) : secret, 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return [...headers, 'svix-signature', `v1,${signature}`];
}
