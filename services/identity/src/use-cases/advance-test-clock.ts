import type { Context } from '@holdfast/kernel/context';
import { testClockAdvanced } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import type { Duration } from '@holdfast/kernel/instants';
import { advanceClock } from '../domain/marketplace.js';
import { publishAudit } from './audit.js';
import { readTestClock, type TestClock } from './get-test-clock.js';
import type { Deps } from './ports.js';

export type AdvanceTestClock = { readonly by: Duration };

/**
 * Advances the clock in one commit, then waits until everything has happened that is due by it. The clock stays advanced if that takes too
 * long. A repeat waits for the first advance.
 */
export async function advanceTestClock(deps: Deps, input: AdvanceTestClock, ctx: Context): Promise<TestClock> {
  await deps.testClock.requireAvailable(ctx);
  const offsetSeconds = await advance(deps, input, ctx);
  const remaining = await deps.testClock.remainingAt(offsetSeconds, ctx);
  if (remaining.length > 0) {
    const message = 'Not everything that is due by the test clock has ended in time; it continues.';
    throw new AppError('PROVIDER_TIMEOUT', { remaining }, { message });
  }
  return readTestClock(deps, ctx);
}

/** Returns how far the clock is ahead. Concurrent advances wait for each other at the row of the marketplace, and all count. */
function advance(deps: Deps, input: AdvanceTestClock, ctx: Context): Promise<number> {
  const { marketplaceId } = ctx.caller;
  return deps.perform({ name: 'advanceTestClock', input, ctx }, async (tx) => {
    const before = await tx.marketplaces.lock(marketplaceId);
    if (before === undefined) throw new AppError('MARKETPLACE_NOT_FOUND', { marketplaceId });
    const after = advanceClock(before, input.by);
    const { id, version, clockOffsetSeconds: offsetSeconds } = after;
    await tx.marketplaces.save(after);
    const payload = { marketplaceId, offsetSeconds };
    tx.publish(testClockAdvanced, { aggregateId: id, aggregateVersion: version, marketplaceId, payload });
    const change = { before: { offsetSeconds: before.clockOffsetSeconds }, after: { offsetSeconds } };
    const resource = { id, version, marketplaceId };
    publishAudit(tx, { ...change, action: 'TEST_CLOCK_ADVANCED', resourceType: 'Marketplace', resource }, ctx);
    return offsetSeconds;
  });
}
