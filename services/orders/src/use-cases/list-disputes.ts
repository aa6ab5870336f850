import type { Context } from '@holdfast/kernel/context';
import type { DisputeRecord } from '@holdfast/contracts/http';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { Deps, DisputeFilter } from './ports.js';
import { disputeRecordIn } from './records.js';

export function listDisputes(deps: Deps, filter: DisputeFilter, ctx: Context): Promise<Page<DisputeRecord>> {
  const listed = deps.disputes.list(ctx.caller.marketplaceId, filter).then((orders) => orders?.map(disputeRecordIn));
  return pageOf(filter.limit, listed);
}
