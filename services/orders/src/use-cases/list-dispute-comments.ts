import type { Context } from '@holdfast/kernel/context';
import type { DisputeId } from '@holdfast/kernel/ids';
import { pageOf, type Page, type PageFilter } from '@holdfast/kernel/pages';
import { getDispute } from './get-dispute.js';
import type { Comment, Deps } from './ports.js';

export async function listDisputeComments(
  deps: Deps,
  { id, ...filter }: PageFilter & { readonly id: DisputeId },
  ctx: Context,
): Promise<Page<Comment>> {
  await getDispute(deps, { id }, ctx);
  return pageOf(filter.limit, deps.disputes.comments(id, filter));
}
