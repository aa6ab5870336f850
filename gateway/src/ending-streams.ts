import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** The open event streams of a gateway, which it ends when it stops: each could stay open for days. */
export type EndingStreams = {
  /** `isBetweenEvents` says whether the bytes that were sent so far end with a whole event. */
  readonly add: (response: ServerResponse, isBetweenEvents: () => boolean) => void;
  /** Sends each client how long to wait before it reconnects, and ends its stream. Streams that open later end at once. */
  readonly endAll: () => void;
};

/** The clients of a gateway that stops do not all reconnect in the same moment. */
const retryMs = { min: 250, max: 2_250 };

export function createEndingStreams(): EndingStreams {
  const open = new Map<ServerResponse, () => boolean>();
  let isEnding = false;
  return {
    add: (response, isBetweenEvents) => {
      if (isEnding) {
        response.end();
        return;
      }
      open.set(response, isBetweenEvents);
      response.once('close', () => open.delete(response));
    },
    endAll: () => {
      isEnding = true;
      for (const [response, isBetweenEvents] of open) {
        // In the middle of an event the text would become part of it. Clients drop an event that is cut off, and resume before it.
        if (isBetweenEvents()) response.write(`retry: ${randomInt(retryMs.min, retryMs.max)}\n\n`);
        response.end();
      }
    },
  };
}
