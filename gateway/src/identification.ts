import type { IncomingMessage } from 'node:http';
import type { Caller } from '@holdfast/kernel/context';
import type { WindowCount } from './memory-windows.js';

/** The result of looking up the credential of a request. */
export type Identification =
  | { readonly kind: 'verified'; readonly caller: Caller }
  /** The request has no credential, or an unknown one. */
  | { readonly kind: 'unverified' }
  /** The address has sent too many unknown credentials. This one was not looked up. */
  | { readonly kind: 'too-many-unknown'; readonly window: WindowCount }
  /** The lookup failed: identity did not respond. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** Whether the request has an Authorization header that did not identify a caller. */
export function isCredentialRefused({ headers }: IncomingMessage, { kind }: Identification): boolean {
  const isRefused = kind === 'unverified' || kind === 'too-many-unknown';
  return isRefused && headers.authorization !== undefined;
}
