import type { Tx } from './database.js';

const statement = { name: 'lock-key', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };

/**
 * Locks a key that has no row to lock, such as `holdfast:spending-cap:treasury USDC`, until the transaction ends. It is a separate
 * statement, so that the next one sees what the transaction before it has committed under the same key.
 */
export async function lockKey(tx: Pick<Tx, 'query'>, key: string): Promise<void> {
  await tx.query(statement, [key]);
}

const statementForAll = {
  name: 'lock-keys',
  text: 'select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest($1::text[]) as key',
};

/** Like `lockKey`, for several keys. They are locked in a fixed order, so that two transactions never wait for each other. */
export async function lockKeys(tx: Pick<Tx, 'query'>, keys: readonly string[]): Promise<void> {
  await tx.query(statementForAll, [keys.toSorted()]);
}
