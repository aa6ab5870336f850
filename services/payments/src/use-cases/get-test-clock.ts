import type { RemainingWork } from '@holdfast/contracts/http';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';

type ClockReport = { readonly offsetSeconds: number; readonly remaining: RemainingWork[] };

/** How far the clock of a marketplace has come, and what is due by it and has not ended. */
export async function getTestClock({ testClocks }: Deps, marketplaceId: MarketplaceId): Promise<ClockReport> {
  const offsetSeconds = await testClocks.offsetSeconds(marketplaceId);
  return { offsetSeconds, remaining: [...(await testClocks.remaining(marketplaceId))] };
}
