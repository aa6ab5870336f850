import type { ProviderStates } from '@holdfast/contracts/http';
import { createHealthProbes, httpProbe } from '@holdfast/process/operations-port';
import type { Job } from '@holdfast/work';

export type ProviderUrls = { readonly escrowProvider: string; readonly ledgerNetwork: string };

export type ProviderStatesReader = {
  /** Waits for the first probe only; later calls return the latest results. */
  readonly states: () => Promise<ProviderStates>;
  readonly job: Job;
};

/** Probes the providers without an API key, so that the probes do not use the call budget. */
export function createProviderStates(urls: ProviderUrls): ProviderStatesReader {
  const { results, probeAll, job } = createHealthProbes({
    escrowProvider: probeOf(urls.escrowProvider),
    ledgerNetwork: probeOf(urls.ledgerNetwork),
  });
  const firstProbe = probeAll();
  const stateOf = (name: keyof ProviderUrls): ProviderStates[keyof ProviderUrls] => ({
    kind: isSandbox(urls[name]) ? 'sandbox' : 'live',
    health: results()[name] ?? { status: 'unhealthy', latencyMs: 0, error: 'it was not probed yet' },
  });
  return {
    states: async () => {
      await firstProbe;
      return { escrowProvider: stateOf('escrowProvider'), ledgerNetwork: stateOf('ledgerNetwork') };
    },
    job: { ...job, name: 'probe-providers' },
  };
}

/** A 4xx response shows that the provider is up. */
const probeOf = (url: string) => httpProbe(new URL(url), (status) => status < 500);

/** Only the sandbox is reached over plain http. */
export function isSandbox(url: string): boolean {
  return !url.startsWith('https:');
}
