import { Resolver } from 'node:dns/promises';
import { AttemptFailed } from './attempt-failed.js';

/** Resolves to every address of a name, at least one. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

export type NameResolution = {
  readonly timeoutMs: number;
  /** Default: the name servers of the machine. */
  readonly nameServers?: readonly string[];
};

const triesMax = 2;

/**
 * Resolves names with Node's own DNS client. `dns.lookup` would block one of the process's four threads for each name server that does not
 * respond. So a few dead receivers would delay all others, and also files and Postgres connections. The price: names in /etc/hosts and
 * search domains are unknown.
 */
export function nameResolver({ timeoutMs, nameServers }: NameResolution): ResolveName {
  return async (hostname) => {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / triesMax), tries: triesMax });
    if (nameServers !== undefined) resolver.setServers(nameServers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    clearTimeout(timer);
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new AttemptFailed('DNS');
    return addresses;
  };
}

/** RFC 6761: these names are never looked up. */
function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(hostname);
}
