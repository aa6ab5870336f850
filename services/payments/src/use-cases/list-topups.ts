import type { Context } from '@holdfast/kernel/context';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { Topup } from '../domain/topup.js';
import type { Deps, TopupFilter } from './ports.js';

export function listTopups(deps: Deps, filter: TopupFilter, ctx: Context): Promise<Page<Topup>> {
  return pageOf(filter.limit, deps.topups.list(ctx.caller.marketplaceId, filter));
}
