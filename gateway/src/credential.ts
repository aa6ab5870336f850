import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const bearer = /^Bearer ([!-~]{1,2048})$/i;

/**
 * The credential of a request, or undefined where there is none that could be read. Two Authorization headers are an attempt
 * to have two parts of a chain see two different callers.
 */
export function credentialOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length !== 1) return undefined;
  return bearer.exec(headers.authorization ?? '')?.[1];
}

const apiKeyForm = /^hk_live_[0-9A-Za-z]{1,64}_[\w-]{43}$/;
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether it pays to ask who this is. Anything else cannot be a key or a token of ours. */
export function isWellFormed(credential: string): boolean {
  return apiKeyForm.test(credential) || tokenForm.test(credential);
}

/** Credentials are kept and compared as digests: these have one length, and are of no use to whoever reads them. */
export function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64');
}

/** Takes the same time whatever is given. */
export function masterKeyCheck(masterKey: string): (credential: string) => boolean {
  const wanted = hash('sha256', masterKey, 'buffer');
  return (credential) => timingSafeEqual(hash('sha256', credential, 'buffer'), wanted);
}
