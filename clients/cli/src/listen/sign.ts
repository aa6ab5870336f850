import { createHmac } from 'node:crypto';

const purpose = 'holdfast listen';

/** The signing secret of `listen`: the same for the same key, so that a receiver is configured once. A key exists on one platform. */
export function secretOf(key: string): string {
  return `whsec_${createHmac('sha256', key).update(purpose).digest('base64')}`;
}

/** The headers of Standard Webhooks. */
export function signedHeaders(secret: string, message: { readonly id: string; readonly body: string; readonly atMs: number }) {
  const { id, body, atMs } = message;
  const timestamp = Math.floor(atMs / 1_000).toString();
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
