import type { Pool, PoolClient } from 'pg';
import type { PreparedStatements } from './prepared-statements.js';
import type { Session } from './statement-group.js';

/** Takes a connection from the pool, for as long as nobody calls its `client.release`. */
export type TakeSession = () => Promise<Session>;

const ignore = (): void => undefined;

export function sessionsOf(pool: Pool): TakeSession {
  const memory = new WeakMap<PoolClient, PreparedStatements>();
  const sessionOn = (client: PoolClient): Session => {
    const known = memory.get(client);
    if (known !== undefined) return { client, known };
    // A connection that breaks fails the statement that is running and every one after it. Without a listener of its own it
    // would end the process, too, whenever it breaks between two statements.
    client.on('error', ignore);
    const session: Session = { client, known: new Map() };
    memory.set(client, session.known);
    return session;
  };
  return () =>
    new Promise((resolve, reject) => {
      pool.connect((error, client) => {
        if (client === undefined) reject(error ?? new Error('The pool gave no connection.'));
        else resolve(sessionOn(client));
      });
    });
}
