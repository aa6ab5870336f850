const loopbackHosts: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/** Whether only programs of the same machine reach what listens on this address. */
export function isLoopback(host: string): boolean {
  return loopbackHosts.includes(host);
}
