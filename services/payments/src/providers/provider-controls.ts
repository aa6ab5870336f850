import type { ProviderControls } from '@holdfast/contracts/http';
import type { Deps } from '../use-cases/ports.js';
import type { DescribeCalls } from './connect-payment-provider.js';
import type { ProviderStatesReader } from './provider-states.js';

type Sources = { readonly providers: Pick<ProviderStatesReader, 'states'>; readonly describeCalls: DescribeCalls };

/** What an operator sees of the controls of the payment provider. */
export function controlsOf(
  { emergencyStop, payoutCap }: Pick<Deps, 'emergencyStop' | 'payoutCap'>,
  { providers, describeCalls }: Sources,
): () => Promise<ProviderControls> {
  return async () => {
    const [isStopped, cap, { paymentProvider }] = await Promise.all([
      emergencyStop.isStopped(),
      payoutCap.describe(),
      providers.states(),
    ]);
    return { isStopped, caps: [cap], providers: [{ ...describeCalls(), ...paymentProvider }] };
  };
}
