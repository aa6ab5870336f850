import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A request that arrived in one piece, together with its body. */
export type WholeRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly complete: true;
  readonly socket: Pick<Socket, 'remoteAddress'>;
  readonly body: Buffer;
};

/** A request, whoever has read it from its connection. */
export type ServedRequest = IncomingMessage | WholeRequest;

/** Where the answer to it goes: the part of Node's own response that is used. */
export type ServedResponse = {
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  readonly writeHead: (status: number, headers: string[]) => unknown;
  readonly flushHeaders: () => void;
  /** False where the receiver should be given time, until `drain`. */
  readonly write: (piece: Buffer) => boolean;
  readonly end: (last?: Buffer | string) => unknown;
  readonly once: (event: 'close' | 'drain', listener: () => void) => unknown;
  readonly destroy: () => unknown;
};

export type Serve = (request: ServedRequest, response: ServedResponse) => Promise<void>;
