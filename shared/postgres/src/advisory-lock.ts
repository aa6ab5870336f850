import type { Tx } from './database.js';

const statement = { name: 'lock-key', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };

/**
 * Locks a key that has no row to lock, such as `holdfast:spending-cap:treasury USDC`, until the transaction ends. It is a statement
 * of its own: the next one sees what the transaction before it has committed under the same key.
 */
export async function lockKey(tx: Pick<Tx, 'query'>, key: string): Promise<void> {
  await tx.query(statement, [key]);
}
