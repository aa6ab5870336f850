import type { PaymentProviderStates } from '@holdfast/contracts/http';
import { createHealthProbes, httpProbe } from '@holdfast/process/operations-port';
import type { Job } from '@holdfast/work';

export type ProviderStatesReader = {
  /** Waits for the first probe only; later calls return the latest results. */
  readonly states: () => Promise<PaymentProviderStates>;
  readonly job: Job;
};

/** Probes the provider without credentials, so that the probes do not use the call budget. */
export function createProviderStates(url: string): ProviderStatesReader {
  // A 4xx response shows that the provider is up.
  const { results, probeAll, job } = createHealthProbes({ paymentProvider: httpProbe(new URL(url), (status) => status < 500) });
  const firstProbe = probeAll();
  return {
    states: async () => {
      await firstProbe;
      const health = results()['paymentProvider'] ?? { status: 'unhealthy', latencyMs: 0, error: 'it was not probed yet' };
      return { paymentProvider: { kind: isSandbox(url) ? 'sandbox' : 'live', health } };
    },
    job: { ...job, name: 'probe-providers' },
  };
}

/** Only the sandbox is reached over plain http. */
export function isSandbox(url: string): boolean {
  return !url.startsWith('https:');
}
