import type { Context, Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { clockOf } from '../domain/marketplace.js';
import type { Deps } from './ports.js';

export type TestClock = { readonly now: Instant; readonly offsetSeconds: number };

/** NOT_FOUND unless the sandbox plays all providers. */
export async function getTestClock(deps: Deps, ctx: Context): Promise<TestClock> {
  await deps.testClock.requireAvailable(ctx);
  return readTestClock(deps, ctx);
}

export async function readTestClock({ marketplaces, testClock }: Deps, { caller }: Context): Promise<TestClock> {
  const { marketplaceId } = caller;
  const marketplace = await marketplaces.find(marketplaceId);
  if (marketplace === undefined) throw new AppError('MARKETPLACE_NOT_FOUND', { marketplaceId });
  return clockOf(marketplace, testClock.now());
}
