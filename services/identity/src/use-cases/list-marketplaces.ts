import type { Context } from '@holdfast/kernel/context';
import { pageOf, type Page, type PageFilter } from '@holdfast/kernel/pages';
import type { Marketplace } from '../domain/marketplace.js';
import { requireMaster } from '../domain/rights.js';
import type { Deps } from './ports.js';

export async function listMarketplaces(deps: Deps, filter: PageFilter, ctx: Context): Promise<Page<Marketplace>> {
  requireMaster(ctx.caller);
  return pageOf(filter.limit, deps.marketplaces.list(filter));
}
