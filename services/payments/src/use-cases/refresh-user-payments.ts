import type { Context } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import { applyPayinUpdate } from './apply-payin-update.js';
import { applyPayoutUpdate } from './apply-payout-update.js';
import type { Deps } from './ports.js';

/**
 * Asks the payment provider for the open top-ups and withdrawals of a user and applies what it says. Their number is limited; the
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
  const signal = AbortSignal.timeout(deps.settings.timeoutMs);
  const results = await Promise.all([
    ...topups.map(({ providerPayinId }) => refreshPayin(deps, providerPayinId, ctx, signal)),
    ...withdrawals.map(({ providerPayoutId }) => refreshPayout(deps, providerPayoutId, ctx, signal)),
  ]);
  return { refreshed: results.filter((isRefreshed) => isRefreshed).length };
}

/** Without an id the intent that creates the pay-in is still open, and learns its status itself. */
async function refreshPayin(deps: Deps, payinId: string | null, ctx: Context, signal: AbortSignal): Promise<boolean> {
  const update = payinId === null ? undefined : await deps.provider.findPayin(payinId, signal);
  return update !== undefined && (await applyPayinUpdate(deps, update, ctx)) === 'applied';
}

async function refreshPayout(deps: Deps, payoutId: string | null, ctx: Context, signal: AbortSignal): Promise<boolean> {
  const update = payoutId === null ? undefined : await deps.provider.findPayout(payoutId, signal);
  return update !== undefined && (await applyPayoutUpdate(deps, update, ctx)) === 'applied';
}
