import type { RemainingWork } from '@holdfast/contracts/http';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';

type ClockReport = { readonly offsetSeconds: number; readonly remaining: RemainingWork[] };

/** How far the clock of a marketplace has come, zero while its timers catch up with it, and what is due by it and has not ended. */
export async function getTestClock({ testClocks }: Deps, marketplaceId: MarketplaceId): Promise<ClockReport> {
  const { offsetSeconds, standsAt } = await testClocks.find(marketplaceId);
  const remaining = await testClocks.remaining(marketplaceId);
  return { offsetSeconds: standsAt === null ? offsetSeconds : 0, remaining: [...remaining] };
}
