import { handleAllDue } from '@holdfast/kernel/async';
import type { Context } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { fireTimer } from './fire-timer.js';
import type { Deps } from './ports.js';

const batchTimersMax = 256;

type FireDueTimers = { readonly contextOf: (marketplaceId: MarketplaceId) => Context; readonly signal: AbortSignal };

/** Fires all due timers, in batches. The heartbeat comes first, so that an outage is known before anything is decided. */
export async function fireDueTimers(deps: Deps, { contextOf, signal }: FireDueTimers): Promise<void> {
  const graceUntil = await deps.timers.beat();
  await handleAllDue({
    take: deps.timers.claim,
    handle: (claimed) => fireTimer(deps, { claimed, graceUntil }, contextOf(claimed.marketplaceId)),
    batchMax: batchTimersMax,
    signal,
  });
}
