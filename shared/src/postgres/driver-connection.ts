import pg, { type PoolClient } from 'pg';

/** The driver's connection sends what it is told, message by message; the driver's types leave all of that out. */
export type DriverConnection = {
  /** What the driver itself believes the server to have parsed: text by name. */
  readonly parsedStatements: Record<string, string>;
  readonly stream: { readonly cork: () => void; readonly uncork: () => void };
  readonly close: (target: { readonly type: 'S'; readonly name: string }) => void;
  readonly parse: (statement: { readonly name: string; readonly text: string }) => void;
  readonly bind: (portal: Binding) => void;
  readonly describe: (target: { readonly type: 'P' }) => void;
  readonly execute: () => void;
  readonly sync: () => void;
};

type Binding = {
  readonly statement: string;
  readonly values: readonly unknown[];
  readonly valueMapper: (value: unknown) => string | Buffer | null;
};

export type Field = { readonly name: string; readonly dataTypeID: number; readonly format: 'text' | 'binary' };

/** What the driver's client calls on whatever it was given to send, as the server's messages come in. */
export type Conversation = {
  /** The driver replaces it to learn that its time limit no longer matters. */
  callback: (error?: unknown) => void;
  /** The driver notes under these what the server has parsed. */
  readonly name: string | undefined;
  readonly text: string | undefined;
  readonly submit: (connection: DriverConnection) => null;
  readonly handleRowDescription: (message: { readonly fields: readonly Field[] }) => void;
  readonly handleDataRow: (message: { readonly fields: readonly (string | null)[] }) => void;
  readonly handleCommandComplete: (message: { readonly text: string }) => void;
  readonly handleEmptyQuery: () => void;
  readonly handleError: (error: unknown) => void;
  readonly handleReadyForQuery: () => void;
};

/** How the driver writes a value: JSON for objects, array literals for arrays. It throws at what it cannot write. */
export const { prepareValue } = (pg as unknown as { readonly utils: { readonly prepareValue: Binding['valueMapper'] } }).utils;

export function converse(client: PoolClient, conversation: Conversation): void {
  client.query(conversation as unknown as pg.Submittable);
}
