import pg, { type PoolClient } from 'pg';

/** What lies under the driver's client; the driver's types leave it out. */
export type DriverConnection = {
  /** What the driver itself believes the server to have parsed: text by name. */
  readonly parsedStatements: Record<string, string>;
  readonly stream: { readonly writable: boolean; readonly write: (bytes: Buffer) => boolean };
};

export type Field = { readonly name: string; readonly dataTypeID: number; readonly format: 'text' | 'binary' };

/** What the driver's client calls on whatever it was given to send, as the server's messages come in. */
export type Conversation = {
  /** The driver replaces it, to learn that its time limit no longer matters. */
  callback: () => void;
  /** Of the statement that is being answered: the driver notes under these what the server has parsed. */
  name: string | undefined;
  text: string | undefined;
  readonly submit: (connection: DriverConnection) => null;
  readonly handleRowDescription: (message: { readonly fields: readonly Field[] }) => void;
  readonly handleDataRow: (message: { readonly fields: readonly (string | null)[] }) => void;
  readonly handleCommandComplete: (message: { readonly text: string }) => void;
  readonly handleEmptyQuery: () => void;
  readonly handleError: (error: Error) => void;
  readonly handleReadyForQuery: () => void;
};

export function converse(client: PoolClient, conversation: Conversation): void {
  client.query(conversation as unknown as pg.Submittable);
}

type Driver = { readonly utils: { readonly prepareValue: (value: unknown) => string | Buffer | null | undefined } };

/** How the driver writes a value: JSON for objects, array literals for arrays. It throws at what it cannot write. */
export const { prepareValue } = (pg as unknown as Driver).utils;
