import { useCallback, useEffect, useState } from 'react';
import type { Event, Holdfast } from '@holdfast/sdk';
import { useLiveEvents, type LiveEvent } from '../../live/live-context.js';
import { useSession } from '../../session/session-context.js';
import { shownMax, withEvents } from './event-buffer.js';

export type EventTail = {
  readonly events: readonly Event[];
  readonly error: unknown;
  readonly isReplaying: boolean;
};

/** The events of this tab's stream, newest first, after those since a time, which a second stream replays and then ends. */
export function useEventTail(since: string): EventTail {
  const { api } = useSession();
  const [tail, setTail] = useState<EventTail>({ events: [], error: null, isReplaying: true });
  const add = useCallback((event: LiveEvent) => {
    if (event.eventType !== 'gap') setTail((given) => ({ ...given, events: withEvents(given.events, [event]) }));
  }, []);
  useLiveEvents(add);
  useEffect(() => {
    const stop = new AbortController();
    setTail({ events: [], error: null, isReplaying: true });
    replay(api, since, stop).then(
      (replayed) => setTail(({ events }) => ({ events: withEvents(events, replayed), error: null, isReplaying: false })),
      (error: unknown) => setTail(({ events }) => ({ events, error, isReplaying: false })),
    );
    return () => stop.abort();
  }, [api, since]);
  return tail;
}

/** A stream does not say where the past ends. When nothing has come for this time, the rest comes live. */
const quietMs = 700;
const replayedMax = 5 * shownMax;

async function replay(api: Holdfast, since: string, stop: AbortController): Promise<readonly Event[]> {
  const events: Event[] = [];
  const end = (): void => stop.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const awaitMore = (): void => {
    clearTimeout(timer);
    timer = setTimeout(end, quietMs);
  };
  for await (const event of api.events.stream({ since, signal: stop.signal, onConnect: awaitMore })) {
    awaitMore();
    if (event.eventType !== 'gap') events.push(event);
    if (events.length >= replayedMax) break;
  }
  clearTimeout(timer);
  return events;
}
