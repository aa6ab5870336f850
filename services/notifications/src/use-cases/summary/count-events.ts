import { countBatch, countedTypes } from './count-batch.js';
import type { SummaryLog } from './ports.js';

/** So many events, and so many audit entries, are counted by one commit. */
const batchMax = 2_000;

/**
 * Counts what was logged since the last time, batch by batch. The positions move in the commit that changes the counters, so each event
 * is counted once, whatever dies in between and however many processes count.
 */
export async function countEvents(log: SummaryLog, signal: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted;) {
    const batch = await log.next(batchMax, countedTypes);
    if (batch === undefined) return;
    await log.write(batch, countBatch(batch));
    ({ isMore } = batch);
  }
}
