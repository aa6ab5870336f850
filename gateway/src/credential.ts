import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Cached and compared by digest: digests have equal length, and a leaked digest is of no use. */
export type Credential = { readonly text: string; readonly digest: string };

const bearer = /^Bearer ([!-~]{1,2048})$/i;

/**
 * The credential of a request, or undefined without a readable one. Two Authorization headers count as none: a proxy in front
 * might read the one and the gateway the other.
 */
export function credentialOf({ rawHeaders, headers }: IncomingMessage): Credential | undefined {
  const { authorization } = headers;
  if (authorization === undefined || countOf('authorization', rawHeaders) !== 1) return undefined;
  const text = bearer.exec(authorization)?.[1];
  return text === undefined ? undefined : { text, digest: digestOf(text) };
}

/** Number of headers of that name. `rawHeaders` alternates names and values. */
function countOf(wanted: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64');
}

const apiKeyForm = /^hk_live_[0-9A-Za-z]{1,64}_[\w-]{43}$/;
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether the text has the form of an API key or a token. Anything else is refused without a lookup. */
export function isWellFormed({ text }: Credential): boolean {
  return apiKeyForm.test(text) || tokenForm.test(text);
}

/** Compares in constant time. */
export function masterKeyCheck(masterKey: string): (credential: Credential) => boolean {
  const masterDigest = Buffer.from(digestOf(masterKey));
  return ({ digest }) => timingSafeEqual(Buffer.from(digest), masterDigest);
}
