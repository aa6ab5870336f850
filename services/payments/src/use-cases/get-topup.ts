import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import type { Topup } from '../domain/topup.js';
import type { Deps } from './ports.js';

export async function getTopup(deps: Deps, { id }: { readonly id: TopupId }, ctx: Context): Promise<Topup> {
  return requireTopup(await deps.topups.find(ctx.caller.marketplaceId, id), id, ctx);
}

/** A top-up of another marketplace is not found. */
export function requireTopup(topup: Topup | undefined, id: TopupId, { caller }: Context): Topup {
  if (topup?.marketplaceId !== caller.marketplaceId) throw new AppError('TOPUP_NOT_FOUND', { topupId: id });
  return topup;
}
