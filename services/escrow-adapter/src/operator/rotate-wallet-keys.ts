import type { Log } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';
import { ConfigError } from '@holdfast/process/config';
import { rotationStore } from '../store/rotation-store.js';
import { missingKeyFaults } from '../domain/installation.js';
import { createWalletKeys } from '@holdfast/ledger-network/signing';

export type Rotation = {
  /** The database of escrow-adapter. */
  readonly database: Pick<Database, 'lists'>;
  /** The new master key. */
  readonly current: string;
  readonly previous: string;
  readonly log: Log;
  readonly signal?: AbortSignal;
};

const walletsPerBatch = 200;

/**
 * Rewraps the data keys of all wallets with the current master key. It can be stopped and resumed at any time, and run beside a
 * service that has both keys. Returns the number of rewrapped wallets.
 */
export async function rotateWalletKeys({ database, current, previous, log, signal }: Rotation): Promise<number> {
  const keys = createWalletKeys({ current, previous });
  const store = rotationStore(database);
  await store.begin((needed) => {
    const faults = missingKeyFaults(keys, needed);
    if (faults.length > 0) throw new ConfigError(faults);
    return [...new Set([...needed, keys.currentId])];
  });
  let wrapped = 0;
  while (signal?.aborted !== true) {
    const wallets = await store.wrappedByOthers(keys.currentId, walletsPerBatch);
    if (wallets.length === 0) break;
    const rewrapped = wallets.map((before) => ({ before, after: keys.rewrap(before, before.userId) }));
    await store.rewrap(rewrapped);
    wrapped += wallets.length;
    log.info({ wrapped, masterKeyId: keys.currentId }, 'wallet keys rewrapped');
  }
  if (signal?.aborted !== true) await store.end(keys.currentId);
  return wrapped;
}
