import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * The client address: the peer of the connection or, behind trusted proxies, the X-Forwarded-For entry that the outermost of
 * them has appended. Entries further left come from the client and are ignored.
 */
export function clientAddressOf({ socket, headers }: IncomingMessage, trustedProxyHops: number): string {
  const peer = socket.remoteAddress ?? '';
  if (trustedProxyHops === 0) return networkOf(peer);
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const appended = forwarded.at(-trustedProxyHops)?.trim() ?? '';
  return networkOf(isIP(appended) === 0 ? peer : appended);
}

const groupsOfNetwork = 4;

/** An IPv6 client usually has a /64 network of 2^64 addresses, so the network counts as one address. */
function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  if (!plain.includes(':') || !isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? [] : Array.from({ length: Math.max(0, groupsOfNetwork - groups.length) }, () => '0');
  return [...groups, ...missing].slice(0, groupsOfNetwork).join(':');
}
