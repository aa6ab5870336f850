import { toEpochMs, type Clock } from '@holdfast/kernel/context';
import type { LoggedEvent } from './ports.js';

export type StreamLag = {
  /** The log is known to reach up to this position. */
  readonly onAppended: (position: bigint) => void;
  readonly onDelivered: (events: readonly LoggedEvent[]) => void;
  readonly seconds: () => number;
};

/** The last delivery says nothing any more after this time without events. */
const shownForMs = 30_000;

/** How far the streams of this process are behind the log: the age of the oldest undelivered event, else the age that the last delivered event had. */
export function createStreamLag(clock: Pick<Clock, 'epochMs'>, startPosition: bigint): StreamLag {
  let delivered = startPosition;
  let appended = startPosition;
  let behindSinceMs = 0;
  let last = { lagMs: 0, atMs: 0 };
  return {
    onAppended: (position) => {
      if (position <= appended) return;
      if (delivered >= appended) behindSinceMs = clock.epochMs();
      appended = position;
    },
    onDelivered: (events) => {
      const newest = events.at(-1);
      if (newest === undefined) return;
      const atMs = clock.epochMs();
      delivered = newest.position;
      last = { lagMs: Math.max(0, atMs - toEpochMs(newest.occurredAt)), atMs };
    },
    seconds: () => {
      const nowMs = clock.epochMs();
      if (delivered < appended) return (nowMs - behindSinceMs) / 1_000;
      return nowMs - last.atMs < shownForMs ? last.lagMs / 1_000 : 0;
    },
  };
}
