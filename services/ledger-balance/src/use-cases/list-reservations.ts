import type { ReservationRecord } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import { pageOf, type Page, type PageFilter } from '@holdfast/kernel/pages';
import type { Deps } from './ports.js';
import { userLookup } from './user-lookup.js';

export async function listReservations(
  deps: Deps,
  { userId, ...filter }: PageFilter & { readonly userId: UserId },
  ctx: Context,
): Promise<Page<ReservationRecord>> {
  await deps.users.require(userLookup(ctx, userId));
  return pageOf(filter.limit, deps.balances.reservations(userId, filter));
}
