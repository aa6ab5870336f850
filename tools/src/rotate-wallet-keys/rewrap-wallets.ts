import type { Installation, WalletKeys } from '@holdfast/all-in-one/commands';
import { entities, rotateWalletKeys } from '@holdfast/escrow-adapter/operator';
import { createLog } from '@holdfast/observability';
import { onDatabase } from '../command/on-installation.js';

/** Returns only once no wallet needs the previous key. */
export async function rewrapWallets(installation: Installation, keys: WalletKeys): Promise<void> {
  const log = createLog({ service: 'rotate-wallet-keys', level: 'warn', pretty: true });
  await onDatabase(installation, { service: 'escrow-adapter', entities, log }, async (database) => {
    const wrapped = await rotateWalletKeys({ ...keys, database, log });
    console.log(`The wallets of ${installation.title}: ${wrapped.toLocaleString('en')} wrapped with the new key.`);
  });
}
