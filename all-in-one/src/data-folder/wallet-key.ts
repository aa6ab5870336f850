import path from 'node:path';
import { CannotStart } from './cannot-start.js';
import { removeDurably, writeDurably } from './files.js';
import { randomText, readSecretFile } from './secret-files.js';

export const walletKeyFile = 'wallet-master-key';
/** There only while a rotation is not through. Whatever starts meanwhile uses both keys, and both open wallets. */
export const previousWalletKeyFile = 'wallet-master-key-previous';

export type WalletKeys = { readonly current: string; readonly previous: string };

export function readPreviousWalletKey(dataDir: string): string | undefined {
  return readSecretFile(path.join(dataDir, previousWalletKeyFile));
}

/**
 * Gives the kept wallet key a successor. The order makes every moment a safe one to die in: the old key has a second file
 * before the first one is written over, and loses it only after `rewrap` has left no wallet that needs it. Who comes after
 * a rotation that was cut off goes on with the keys it left, and makes no third one.
 */
export async function rotateStoredWalletKey(dataDir: string, rewrap: (keys: WalletKeys) => Promise<void>): Promise<void> {
  await rewrap(startOrResume(dataDir));
  removeDurably(path.join(dataDir, previousWalletKeyFile));
}

function startOrResume(dataDir: string): WalletKeys {
  const file = path.join(dataDir, walletKeyFile);
  const kept = readSecretFile(file);
  if (kept === undefined) throw new CannotStart(`There is no wallet key in ${dataDir}: give both as settings.`);
  const previous = readPreviousWalletKey(dataDir);
  if (previous !== undefined && previous !== kept) return { current: kept, previous };
  if (previous === undefined) writeDurably(path.join(dataDir, previousWalletKeyFile), `${kept}\n`);
  const current = randomText();
  writeDurably(file, `${current}\n`);
  return { current, previous: kept };
}
