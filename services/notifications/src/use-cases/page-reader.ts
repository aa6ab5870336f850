import { createSemaphore } from '@holdfast/kernel/async';
import type { Instant } from '@holdfast/kernel/context';
import { eventMessage } from '../domain/sse-messages.js';
import type { EventLog, Replay } from './ports.js';

/** A page of replayed events, encoded for the stream. */
export type HistoryPage = { readonly bytes: Buffer; readonly count: number; readonly lastMoment: Instant | undefined };

export type PageReader = (replay: Omit<Replay, 'limit'>) => Promise<HistoryPage>;

export const pageEventsMax = 500;
const readsMax = 4;

/**
 * Clients that reconnect at the same time request the same pages, so requests for a page that is being read share the read.
 * At most `readsMax` reads run at the same time, so that replays leave database capacity to the appender.
 */
export function createPageReader(log: Pick<EventLog, 'replay'>): PageReader {
  const reading = new Map<string, Promise<HistoryPage>>();
  const reads = createSemaphore({ runningMax: readsMax });

  const read = async (replay: Omit<Replay, 'limit'>): Promise<HistoryPage> => {
    const events = await reads.run(() => log.replay({ ...replay, limit: pageEventsMax }));
    const bytes = Buffer.from(events.map(eventMessage).join(''));
    return { bytes, count: events.length, lastMoment: events.at(-1)?.occurredAt };
  };

  return (replay) => {
    const { marketplaceId, after, afterPosition, untilPosition, filter } = replay;
    const key = [marketplaceId, after, afterPosition.toString(), untilPosition.toString(), filter.key].join(' ');
    const running = reading.get(key) ?? read(replay).finally(() => reading.delete(key));
    reading.set(key, running);
    return running;
  };
}
