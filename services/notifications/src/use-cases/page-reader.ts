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
  const waiting: (() => void)[] = [];
  let running = 0;

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= readsMax) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };

  const read = async (replay: Omit<Replay, 'limit'>): Promise<HistoryPage> => {
    const events = await inTurn(() => log.replay({ ...replay, limit: pageEventsMax }));
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
