import type { Log } from '@holdfast/kernel/context';
import type { Connection } from './connection-manager.js';

export type AttachOptions = {
  /** For logs: `consumer of orders`. */
  readonly name: string;
  readonly log: Log;
  readonly isStopping: () => boolean;
  /** Starts to consume on the connection. */
  readonly start: (connection: Connection) => Promise<void>;
};

export type Attachment = {
  /** Consumes on this connection from now on. Never rejects: if it fails, the connection is aborted. */
  readonly attach: (connection: Connection) => Promise<void>;
  /** Resolves when the last attach has ended. */
  readonly attached: () => Promise<void>;
};

/** Starts a consumer once on each connection, however often the connection is announced, and no more when it stops. */
export function attachOnce({ name, log, isStopping, start }: AttachOptions): Attachment {
  let attachedTo: Connection | undefined;
  let attaching = Promise.resolve();
  return {
    attach: (connection) => {
      if (isStopping() || attachedTo === connection) return attaching;
      attachedTo = connection;
      attaching = start(connection).catch((error: unknown) => {
        log.warn({ err: error, consumer: name }, 'the consumer could not be started');
        connection.abort(`the ${name} could not be started`);
      });
      return attaching;
    },
    attached: () => attaching,
  };
}
