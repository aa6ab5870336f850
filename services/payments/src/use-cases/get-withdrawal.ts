import type { Context } from '@holdfast/kernel/context';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps } from './ports.js';
import { requireWithdrawal } from './require-withdrawal.js';

/** A withdrawal of another marketplace is not found. */
export function getWithdrawal(deps: Deps, { id }: { readonly id: WithdrawalId }, ctx: Context): Promise<Withdrawal> {
  return requireWithdrawal(deps, { marketplaceId: ctx.caller.marketplaceId, id });
}
