import type { HoldfastEvent } from './generated/resources.js';
import { HoldfastError } from './holdfast-error.js';

/** The headers of a request as Node, Express or the Fetch API have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const toleranceSeconds = 300;
const secretPrefix = 'whsec_';

/**
 * Verifies a webhook by Standard Webhooks, and returns its event. Rejects with HoldfastError WEBHOOK_SIGNATURE_INVALID. `rawBody` is the
 * body as it came, before any parser has seen it; `secret` begins with whsec_.
 */
export async function verify(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): Promise<HoldfastEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === '' || timestamp === '' || signatures === '') throw refused('a header is missing');
  requireRecent(timestamp);
  const expected = await sign(await keyOf(secret), concat(`${id}.${timestamp}.`, rawBody));
  if (!signatures.split(' ').some((given) => isSame(given, expected))) throw refused('no signature matches');
  return parse(rawBody);
}

/** Needs neither a client nor a key. */
export const webhooks = { verify } as const;

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  return typeof found === 'string' ? found : (found[0] ?? '');
}

function requireRecent(timestamp: string): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw refused('the timestamp is not a number');
  // eslint-disable-next-line holdfast/no-ambient-time -- a receiver has no clock to pass in, and an old request must not count as new
  const ageSeconds = Math.floor(Date.now() / 1_000) - Number(timestamp);
  if (Math.abs(ageSeconds) > toleranceSeconds) throw refused('the timestamp is more than five minutes away');
}

function keyOf(secret: string): Promise<Key> {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const bytes = decode(text);
  if (bytes.length === 0) throw new TypeError('the secret must be whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function concat(prefix: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const [first, second] = [encoder.encode(prefix), typeof body === 'string' ? encoder.encode(body) : body];
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

async function sign(key: Key, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}

/** Compares all of it, so that the time does not tell how much was right. */
function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let index = 0; index < expected.length; index += 1) difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  return difference === 0;
}

function parse(rawBody: string | Uint8Array): HoldfastEvent {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  try {
    return JSON.parse(text) as HoldfastEvent;
  } catch {
    throw refused('the body is not JSON');
  }
}

function refused(reason: string): HoldfastError {
  const fields = { code: 'WEBHOOK_SIGNATURE_INVALID', status: 0, details: { reason }, requestId: '' } as const;
  return new HoldfastError(`The webhook is not valid: ${reason}.`, fields);
}
