import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { OrderId } from '@holdfast/kernel/ids';
import { toPage, type Page, type PageFilter } from '@holdfast/kernel/pages';
import type { Milestone } from '../domain/order.js';
import { getOrder } from './get-order.js';
import type { Deps } from './ports.js';

export type ListMilestones = Pick<PageFilter, 'limit' | 'cursor'> & { readonly id: OrderId };

/** In the order in which they were created. The cursor is the reference of the last milestone of the previous page. */
export async function listMilestones(deps: Deps, { id, limit, cursor }: ListMilestones, ctx: Context): Promise<Page<Milestone>> {
  const { milestones } = await getOrder(deps, { id }, ctx);
  const first = cursor === undefined ? 0 : milestones.findIndex(({ ref }) => ref === cursor) + 1;
  if (cursor !== undefined && first === 0)
    throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
  return toPage(milestones.slice(first), limit, ({ ref }) => ref);
}
