import type { Context } from '@holdfast/shared/context';
import type { Marketplace } from '../domain/marketplace.js';
import { demandMaster } from '../domain/rights.js';
import type { Deps } from './ports.js';

export async function createMarketplace(deps: Deps, input: { readonly name: string }, ctx: Context): Promise<Marketplace> {
  demandMaster(ctx.caller);
  return deps.perform({ name: 'createMarketplace', input, ctx }, async (tx) => {
    const marketplace = { id: deps.newId('mkt'), name: input.name, createdAt: ctx.at };
    await tx.marketplaces.insert(marketplace);
    return marketplace;
  });
}
