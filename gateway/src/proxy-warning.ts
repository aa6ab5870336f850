import type { Clock, Log } from '@holdfast/kernel/context';
import { isLoopback } from './loopback.js';

/** Detects a proxy in front of a gateway that trusts none, so that all clients behind it count as one address. */
export type ProxyWarning = {
  /** Called for every request with X-Forwarded-For. */
  readonly notice: () => void;
  /** For /health/detailed: empty unless such a request has arrived a short while ago. */
  readonly warnings: () => readonly string[];
};

type Options = { readonly trustedProxyHops: number; readonly clock: Pick<Clock, 'epochMs'>; readonly log: Log };

/** A client can send the header, too, so the warning ends by itself. */
const shownForMs = 600_000;

const warning =
  'requests have X-Forwarded-For, but TRUSTED_PROXY_HOPS is 0: all clients behind a proxy count as one address for the rate limit';

export function createProxyWarning({ trustedProxyHops, clock, log }: Options): ProxyWarning {
  if (trustedProxyHops > 0) return { notice: () => undefined, warnings: () => [] };
  let shownUntilMs = 0;
  const isShown = (): boolean => clock.epochMs() < shownUntilMs;
  return {
    notice: () => {
      if (!isShown()) log.warn({ setting: 'TRUSTED_PROXY_HOPS' }, warning);
      shownUntilMs = clock.epochMs() + shownForMs;
    },
    warnings: () => (isShown() ? [warning] : []),
  };
}

/** At the start nothing is known about proxies yet. A gateway that other machines can reach usually has one in front. */
export function warnOfUntrustedProxies({ trustedProxyHops, log }: Omit<Options, 'clock'>, host: string): void {
  if (trustedProxyHops > 0 || isLoopback(host)) return;
  log.warn(
    { setting: 'TRUSTED_PROXY_HOPS', host },
    'no proxy is trusted: set TRUSTED_PROXY_HOPS if one is in front of the gateway',
  );
}
