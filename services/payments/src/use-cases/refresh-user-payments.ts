import type { Context } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import { applyPayinUpdate } from './apply-payin-update.js';
import { applyPayoutUpdate } from './apply-payout-update.js';
import type { Deps } from './ports.js';
import type { ProviderCall } from './provider-ports.js';

/**
 * Reads the open top-ups and withdrawals of a user at the payment provider and applies their status. Their number is limited; the
 * others are found by the polls.
 */
export async function refreshUserPayments(
  deps: Deps,
  { userId }: { readonly userId: UserId },
  ctx: Context,
): Promise<{ readonly refreshed: number }> {
  const { marketplaceId } = ctx.caller;
  const [topups, withdrawals] = await Promise.all([
    deps.topups.findOpenOfUser(marketplaceId, userId),
    deps.withdrawals.findOpenOfUser(marketplaceId, userId),
  ]);
  const call = { marketplaceId, signal: AbortSignal.timeout(deps.settings.timeoutMs) };
  const results = await Promise.all([
    ...topups.map(({ providerPayinId }) => refreshPayin(deps, providerPayinId, ctx, call)),
    ...withdrawals.map(({ providerPayoutId }) => refreshPayout(deps, providerPayoutId, ctx, call)),
  ]);
  return { refreshed: results.filter((isRefreshed) => isRefreshed).length };
}

/** Without an id the intent that creates the pay-in is still open, and learns its status itself. */
async function refreshPayin(deps: Deps, payinId: string | null, ctx: Context, call: ProviderCall): Promise<boolean> {
  const update = payinId === null ? undefined : await deps.provider.findPayin(payinId, call);
  return update !== undefined && (await applyPayinUpdate(deps, update, ctx)) === 'applied';
}

async function refreshPayout(deps: Deps, payoutId: string | null, ctx: Context, call: ProviderCall): Promise<boolean> {
  const update = payoutId === null ? undefined : await deps.provider.findPayout(payoutId, call);
  return update !== undefined && (await applyPayoutUpdate(deps, update, ctx)) === 'applied';
}
