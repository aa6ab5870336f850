import type { Context } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { fireTimer } from './fire-timer.js';
import type { Deps } from './ports.js';

type FireTimersOfClocks = { readonly contextOf: (marketplaceId: MarketplaceId) => Context; readonly signal: AbortSignal };

/**
 * Fires the timers of marketplaces whose test clock is ahead, one by one in the order of their times. The next timer fires when everything
 * that the one before has started has ended. It ends when no clock can move now.
 */
export async function fireTimersOfClocks(deps: Deps, { contextOf, signal }: FireTimersOfClocks): Promise<void> {
  for (let isMoving = true; isMoving && !signal.aborted;) {
    const claimed = await deps.testClocks.claimNext();
    isMoving = claimed.length > 0;
    await Promise.all(
      claimed.map((timer) => fireTimer(deps, { claimed: timer, graceUntil: null }, contextOf(timer.marketplaceId))),
    );
  }
}
