import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { scopes, systemClock, type Caller } from '@holdfast/kernel/context';
import type { EventRecord } from '@holdfast/contracts/http';

/** One of thousands: a socket and what came through it, without a client that would cost more than the service does. */
export type BareReader = {
  readonly marketplaceId: Caller['marketplaceId'];
  /** Of all connections, in the order of arrival. */
  readonly events: EventRecord[];
  /** Goes on after the given id, else after the last one it got; resolves once it is served. */
  readonly connect: (lastEventId?: string) => Promise<void>;
  readonly leave: () => void;
};

export type BareReaderOptions = {
  readonly url: string;
  readonly secret: string;
  readonly marketplaceId: Caller['marketplaceId'];
};

export function bareReader({ url, secret, marketplaceId }: BareReaderOptions): BareReader {
  const caller: Caller = { type: 'api_key', id: `key_of_${marketplaceId}`, marketplaceId, scopes };
  const signer = callerSigner({ secret, clock: systemClock() });
  const { hostname, port } = new URL(url);
  const events: EventRecord[] = [];
  let socket: Socket | undefined;
  return {
    marketplaceId,
    events,
    connect: async (lastEventId = events.at(-1)?.occurredAt) => {
      const cursor = lastEventId === undefined ? '' : `last-event-id: ${lastEventId}\r\n`;
      for (;;) {
        const identity = `${callerHeader}: ${signer.sign({ caller }, 'notifications')}\r\n`;
        socket = connect({ host: hostname, port: Number(port) });
        socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: x\r\n${identity}${cursor}\r\n`);
        if (await isServed(socket, events)) return;
        await pause(retryMs);
      }
    },
    leave: () => void socket?.destroy(),
  };
}

const dataLine = /^data: (\{"eventId".*\})$/gm;
const messageEnd = '\n\n';
const retryMs = 100;

/**
 * Resolves with the head of the answer: whether it was one. A machine that is short of room resets connections before anybody has
 * answered them, and their clients come again. A message is never cut by the lengths of the chunks, only by the pieces of the socket.
 */
function isServed(socket: Socket, events: EventRecord[]): Promise<boolean> {
  let rest = '';
  return new Promise((resolve, reject) => {
    socket.on('error', () => resolve(false));
    socket.on('data', (piece) => {
      rest += piece.toString();
      if (rest.startsWith('HTTP/') && !rest.startsWith('HTTP/1.1 200')) reject(new Error(rest));
      else resolve(true);
      const end = rest.lastIndexOf(messageEnd);
      if (end === -1) return;
      for (const [, data = ''] of rest.slice(0, end).matchAll(dataLine)) events.push(JSON.parse(data) as EventRecord);
      rest = rest.slice(end + messageEnd.length);
    });
  });
}
