import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { scopes, systemClock, type Caller } from '@holdfast/kernel/context';
import type { EventRecord } from '@holdfast/contracts/http';

/** Minimal stream client for tests with thousands of connections, where a full client would use more CPU than the service. */
export type BareReader = {
  readonly marketplaceId: Caller['marketplaceId'];
  /** Events of all connections, in the order of arrival. */
  readonly events: EventRecord[];
  /** Resumes after the given id, by default after the last received one; resolves once the response is 200. */
  readonly connect: (lastEventId?: string) => Promise<void>;
  readonly disconnect: () => void;
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
    disconnect: () => void socket?.destroy(),
  };
}

const dataLine = /^data: (\{"eventId".*\})$/gm;
const messageEnd = '\n\n';
const retryMs = 100;

/**
 * Resolves with false where the connection failed: an overloaded machine resets connections before the service accepts them, and
 * the client retries. A message can be split between two reads of the socket, so the incomplete end is buffered.
 */
function isServed(socket: Socket, events: EventRecord[]): Promise<boolean> {
  let buffered = '';
  return new Promise((resolve, reject) => {
    socket.on('error', () => resolve(false));
    socket.on('data', (chunk) => {
      buffered += chunk.toString();
      if (buffered.startsWith('HTTP/') && !buffered.startsWith('HTTP/1.1 200')) reject(new Error(buffered));
      else resolve(true);
      const end = buffered.lastIndexOf(messageEnd);
      if (end === -1) return;
      for (const [, data = ''] of buffered.slice(0, end).matchAll(dataLine)) events.push(JSON.parse(data) as EventRecord);
      buffered = buffered.slice(end + messageEnd.length);
    });
  });
}
