import type { Context } from '@holdfast/shared/context';
import type { Marketplace } from '../domain/marketplace.js';
import { demandMaster } from '../domain/rights.js';
import { pageOf, type Page } from './pages.js';
import type { Deps, PageFilter } from './ports.js';

export async function listMarketplaces(deps: Deps, filter: PageFilter, ctx: Context): Promise<Page<Marketplace>> {
  demandMaster(ctx.caller);
  return pageOf(filter.limit, deps.marketplaces.list(filter));
}
