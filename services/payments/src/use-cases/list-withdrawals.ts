import type { Context } from '@holdfast/kernel/context';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps, WithdrawalFilter } from './ports.js';

export function listWithdrawals(deps: Deps, filter: WithdrawalFilter, ctx: Context): Promise<Page<Withdrawal>> {
  return pageOf(filter.limit, deps.withdrawals.list(ctx.caller.marketplaceId, filter));
}
