import { event, type EventRecord } from '@holdfast/contracts/http';
import { followStream } from '@holdfast/http/event-stream';
import { eventually } from '@holdfast/testing/eventually';

/** Reads the stream as a marketplace would. */
export type Reader = {
  readonly events: () => readonly EventRecord[];
  /** The id of the last message that had one. */
  readonly lastEventId: () => string;
  readonly stop: () => void;
};

export async function startReader(baseUrl: string, key: string, lastEventId?: string): Promise<Reader> {
  const stopping = new AbortController();
  const events: EventRecord[] = [];
  let last = lastEventId ?? '';
  let isOpen = false;
  let refused: unknown;
  followStream({
    url: `${baseUrl}/events`,
    headers: () => ({ authorization: `Bearer ${key}` }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
    onOpen: () => (isOpen = true),
    onMessage: ({ id, data }) => {
      if (id === undefined) return;
      last = id;
      events.push(event.parse(JSON.parse(data)));
    },
    signal: stopping.signal,
  }).catch((error: unknown) => (refused = error));
  await eventually(() => expect([isOpen, refused]).toEqual([true, undefined]));
  return { events: () => events, lastEventId: () => last, stop: () => stopping.abort() };
}
