import type { PayoutUpdate } from '../domain/provider-updates.js';
import type { PayoutResult } from './execute-payout.js';
import type { Deps } from './ports.js';
import { ProviderRefused, type ProviderCall } from './provider-ports.js';

/** A payout at the provider, whose id is known once it was created. */
type Payout = { readonly code: string; readonly providerPayoutId: string | null };

const canceled = 'The payout was canceled before it was sent.';

/**
 * Makes sure that a payout is not sent: one that the provider has and that was not committed is canceled there, so that a late commit
 * is refused. A payout that was committed before continues. The caller holds the lease of the intent, so nothing else sends it meanwhile.
 */
export async function cancelPayout(
  { provider }: Pick<Deps, 'provider'>,
  payout: Payout,
  call: ProviderCall,
): Promise<PayoutResult> {
  const found = await findPayout({ provider }, payout, call);
  if (found === undefined) return { refusal: new ProviderRefused(null, canceled) };
  if (found.outcome !== 'created') return found;
  await provider.cancelPayout(found.providerId, call);
  const current = await provider.findPayout(found.providerId, call);
  if (current === undefined || current.outcome === 'created')
    throw new Error(`The payout ${found.providerId} is not canceled yet.`);
  return current.outcome === 'canceled' ? { ...current, reason: { code: null, text: canceled } } : current;
}

/** After a restore from a backup the provider may know a payout that this platform has forgotten: its code is the withdrawal's id. */
async function findPayout(
  { provider }: Pick<Deps, 'provider'>,
  { code, providerPayoutId }: Payout,
  call: ProviderCall,
): Promise<PayoutUpdate | undefined> {
  if (providerPayoutId === null) return provider.findPayoutByCode(code, call);
  const found = await provider.findPayout(providerPayoutId, call);
  if (found === undefined) throw new Error(`The payment provider does not find the payout ${providerPayoutId}.`);
  return found;
}
