import type { ProviderStates } from '@holdfast/contracts/http';
import { createHealthProbes, httpProbe, type Job } from '@holdfast/service-host';

export type ProviderUrls = { readonly escrowProvider: string; readonly ledgerNetwork: string };

export type ProviderStatesReader = {
  /** Waits for the first look, and for nothing after it. */
  readonly states: () => Promise<ProviderStates>;
  readonly job: Job;
};

/** Looks at them as anybody can, without a key: that costs nothing of what the escrow provider grants us. */
export function createProviderStates(urls: ProviderUrls): ProviderStatesReader {
  const { results, probeAll, job } = createHealthProbes({
    escrowProvider: probeOf(urls.escrowProvider),
    ledgerNetwork: probeOf(urls.ledgerNetwork),
  });
  const firstProbe = probeAll();
  const stateOf = (name: keyof ProviderUrls): ProviderStates[keyof ProviderUrls] => ({
    kind: isSandbox(urls[name]) ? 'sandbox' : 'live',
    health: results()[name] ?? { status: 'down', latencyMs: 0, error: 'it was not asked yet' },
  });
  return {
    states: async () => {
      await firstProbe;
      return { escrowProvider: stateOf('escrowProvider'), ledgerNetwork: stateOf('ledgerNetwork') };
    },
    job: { ...job, name: 'probe-providers' },
  };
}

/** A refusal is an answer. */
const probeOf = (url: string) => httpProbe(new URL(url), (status) => status < 500);

/** Only the sandbox is asked without encryption. */
export function isSandbox(url: string): boolean {
  return !url.startsWith('https:');
}
