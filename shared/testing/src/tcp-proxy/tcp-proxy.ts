import type { AddressInfo, Socket } from 'node:net';

/** Adds both sockets of a proxied connection to `sockets`. When one is closed, the other is destroyed. */
export function closeTogether(sockets: Set<Socket>, client: Socket, upstream: Socket): void {
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(one);
    one.on('error', () => undefined); // an error is followed by `close`
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
  }
}

/** The URL of the target with the address of its proxy. */
export function proxiedUrl(target: URL, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = address.port.toString();
  return url.href;
}
