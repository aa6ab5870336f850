import { isIP } from 'node:net';
import type { UrlFinding } from '../use-cases/webhooks/ports.js';
import type { AddressPolicy } from './address-policy.js';
import { AttemptFailed } from './attempt-failed.js';
import type { ResolveName } from './resolve-name.js';

/** Whether webhooks may be sent to the URL at present. Each connection is checked again, because names change. */
export async function checkUrl(text: string, policy: AddressPolicy, resolveName: ResolveName): Promise<UrlFinding> {
  const url = withoutExtras(text);
  if (url === undefined) return 'malformed';
  const { protocol, hostname } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'not_https';
  const addresses = await addressesOf(hostname, resolveName);
  const isPermitted = addresses.length > 0 && addresses.every((address) => policy.permits(address, protocol));
  if (isPermitted) return 'ok';
  if (protocol === 'http:') return 'not_https';
  return addresses.length === 0 ? 'not_resolved' : 'blocked_address';
}

/** Undefined for a text that is not a URL, or one with user info or a fragment. */
function withoutExtras(text: string): URL | undefined {
  if (!URL.canParse(text) || text.includes('#')) return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : undefined;
}

/** The URL parser has turned decimal, octal and hex forms of an IPv4 address into the usual one. */
async function addressesOf(hostname: string, resolveName: ResolveName): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) return [literal];
  try {
    return await resolveName(hostname);
  } catch (error) {
    if (error instanceof AttemptFailed) return [];
    throw error;
  }
}
