import type { Context } from '@holdfast/kernel/context';
import { mapPage, pageOf, type Page, type PageFilter } from '@holdfast/kernel/pages';
import { requireSupport } from '../domain/rights.js';
import { withStatus, type KeyWithStatus } from './key-status.js';
import type { Deps } from './ports.js';

/** The master key lists the keys of all marketplaces; other callers list the keys of their own marketplace. */
export async function listApiKeys(deps: Deps, filter: PageFilter, { caller, at }: Context): Promise<Page<KeyWithStatus>> {
  requireSupport(caller);
  const marketplaceId = caller.type === 'master' ? undefined : caller.marketplaceId;
  const page = await pageOf(filter.limit, deps.apiKeys.list(marketplaceId, filter));
  return mapPage(page, (key) => withStatus(key, at));
}
