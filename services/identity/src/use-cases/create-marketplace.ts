import type { Context } from '@holdfast/kernel/context';
import { newMarketplace, type Marketplace } from '../domain/marketplace.js';
import { requireMaster } from '../domain/rights.js';
import { publishAudit } from './audit.js';
import type { Deps } from './ports.js';

export async function createMarketplace(deps: Deps, input: { readonly name: string }, ctx: Context): Promise<Marketplace> {
  requireMaster(ctx.caller);
  return deps.perform({ name: 'createMarketplace', input, ctx }, async (tx) => {
    const marketplace = newMarketplace({ id: deps.newId('mkt'), name: input.name, createdAt: ctx.at });
    await tx.marketplaces.insert(marketplace);
    // The audit entry belongs to the caller's marketplace, because the new marketplace has no callers yet.
    const resource = { id: marketplace.id, version: marketplace.version, marketplaceId: ctx.caller.marketplaceId };
    const after = { name: marketplace.name };
    publishAudit(tx, { action: 'MARKETPLACE_CREATED', resourceType: 'Marketplace', resource, before: null, after }, ctx);
    return marketplace;
  });
}
