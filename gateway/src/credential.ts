import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Kept and compared by its digest: digests have one length, and are of no use to whoever reads them. */
export type Credential = { readonly text: string; readonly digest: string };

const bearer = /^Bearer ([!-~]{1,2048})$/i;

/**
 * The credential of a request, or undefined where there is none that could be read. Two Authorization headers are an attempt
 * to have two parts of a chain see two different callers.
 */
export function credentialOf({ rawHeaders, headers }: IncomingMessage): Credential | undefined {
  const { authorization } = headers;
  if (authorization === undefined || countOf('authorization', rawHeaders) !== 1) return undefined;
  const text = bearer.exec(authorization)?.[1];
  return text === undefined ? undefined : { text, digest: digestOf(text) };
}

/** How often a header came. Names and values stand in turn. */
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

/** Whether it pays to ask who this is. Anything else cannot be a key or a token of ours. */
export function isWellFormed({ text }: Credential): boolean {
  return apiKeyForm.test(text) || tokenForm.test(text);
}

/** Takes the same time whatever is given. */
export function masterKeyCheck(masterKey: string): (credential: Credential) => boolean {
  const wanted = Buffer.from(digestOf(masterKey));
  return ({ digest }) => timingSafeEqual(Buffer.from(digest), wanted);
}
