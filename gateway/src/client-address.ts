import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * Where a request comes from, as far as it can be trusted: the other end of the connection or, behind a known number of
 * proxies of our own, what the outermost of them wrote down.
 */
export function clientAddressOf({ socket, headers }: IncomingMessage, trustedProxyHops: number): string {
  const peer = socket.remoteAddress ?? '';
  if (trustedProxyHops === 0) return networkOf(peer);
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const written = forwarded.at(-trustedProxyHops)?.trim() ?? '';
  return networkOf(isIP(written) === 0 ? peer : written);
}

const groupsOfNetwork = 4;

/** Whoever has one address of IPv6 has 2^64 of them, so the network counts as one. */
function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  if (!plain.includes(':') || !isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? [] : Array.from({ length: Math.max(0, groupsOfNetwork - groups.length) }, () => '0');
  return [...groups, ...missing].slice(0, groupsOfNetwork).join(':');
}
