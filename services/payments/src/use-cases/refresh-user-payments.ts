import { settlesWithin } from '@holdfast/kernel/async';
import type { Context } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import type { Topup } from '../domain/topup.js';
import { applyPayinUpdate } from './apply-payin-update.js';
import { applyPayoutUpdate } from './apply-payout-update.js';
import type { Deps } from './ports.js';
import type { ProviderCall } from './provider-ports.js';
import { waitForCredit } from './refresh-topup.js';

export type RefreshedPayments = {
  readonly refreshed: number;
  /** The top-ups that were credited meanwhile. */
  readonly credited: readonly Topup[];
};

/** The ledger waits 12 s for the response. */
const creditMsMax = 5_000;

/**
 * Reads the open top-ups and withdrawals of a user at the payment provider and applies their status, then waits until what was
 * received is credited. Their number is limited; the others are found by the polls.
 */
export async function refreshUserPayments(
  deps: Deps,
  { userId }: { readonly userId: UserId },
  ctx: Context,
): Promise<RefreshedPayments> {
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
  await settlesWithin(Promise.allSettled(topups.map(({ id }) => waitForCredit(deps, id))), creditMsMax);
  const current = await Promise.all(topups.map(({ id }) => deps.topups.find(marketplaceId, id)));
  return {
    refreshed: results.filter((isRefreshed) => isRefreshed).length,
    credited: current.filter((topup) => topup !== undefined).filter(({ status }) => status === 'TOPUP_SUCCEEDED'),
  };
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
