import type { IncomingMessage } from 'node:http';
import type { Caller } from '@holdfast/kernel/context';
import type { WindowCount } from './memory-windows.js';

/** What is known about the credential of a request. */
export type Identification =
  | { readonly kind: 'verified'; readonly caller: Caller }
  /** There is none, or it is nobody's. */
  | { readonly kind: 'unverified' }
  /** The address has sent too many credentials that were nobody's. This one was not looked up. */
  | { readonly kind: 'too-many-guesses'; readonly window: WindowCount }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Whether a credential came that is nobody's, as far as anybody looked. */
export function isCredentialRefused({ headers }: IncomingMessage, { kind }: Identification): boolean {
  const isRefused = kind === 'unverified' || kind === 'too-many-guesses';
  return isRefused && headers.authorization !== undefined;
}
