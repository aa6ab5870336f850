import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { PayoutUpdate } from '../domain/provider-updates.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { UpdateResult } from './apply-payin-update.js';
import { applyPayoutUpdate } from './apply-payout-update.js';
import type { Deps } from './ports.js';
import { requireWithdrawal } from './require-withdrawal.js';
import { waitForWithdrawal } from './payment-waits.js';

/** Fetches the status of the payout from the payment provider. A payment on the ledger network reports its end by itself. */
export async function refreshWithdrawal(deps: Deps, { id }: { readonly id: WithdrawalId }, ctx: Context): Promise<Withdrawal> {
  const wanted = { marketplaceId: ctx.caller.marketplaceId, id };
  const withdrawal = await requireWithdrawal(deps, wanted);
  await fetchStatus(deps, withdrawal, ctx).catch((cause: unknown) => {
    throw new AppError('PROVIDER_TIMEOUT', { withdrawalId: id }, { cause });
  });
  const current = await requireWithdrawal(deps, wanted);
  // An event may have been faster; then the ledger is about to end the withdrawal.
  return current.outcome === null ? current : waitForWithdrawal(deps, wanted, () => true);
}

/** Reads the status of the payout at the payment provider and applies it. Rejects if the provider does not respond. */
export async function fetchStatus(
  deps: Deps,
  withdrawal: Withdrawal,
  ctx: Pick<Context, 'requestId' | 'at' | 'log'>,
): Promise<UpdateResult> {
  if (!isWithProvider(withdrawal)) return 'unchanged';
  const update = await findPayout(deps, withdrawal);
  // Nothing follows from a payout that is not found: its creation may have begun meanwhile.
  return update === undefined ? 'unknown' : applyPayoutUpdate(deps, update, ctx);
}

function isWithProvider({ destinationType, committedAt, outcome }: Withdrawal): boolean {
  return destinationType !== 'ledger' && committedAt !== null && outcome === null;
}

function findPayout({ provider }: Deps, { id, marketplaceId, providerPayoutId }: Withdrawal): Promise<PayoutUpdate | undefined> {
  return providerPayoutId === null
    ? provider.findPayoutByCode(id, { marketplaceId })
    : provider.findPayout(providerPayoutId, { marketplaceId });
}
