import path from 'node:path';
import { CannotStart } from './cannot-start.js';
import { removeDurably, writeDurably } from './files.js';
import { randomText, readSecretFile } from './secret-files.js';

export const walletKeyFile = 'wallet-master-key';
/** Exists only while a rotation is not finished. A process that starts meanwhile uses both keys. */
export const previousWalletKeyFile = 'wallet-master-key-previous';

export type WalletKeys = { readonly current: string; readonly previous: string };

export function readPreviousWalletKey(dataDir: string): string | undefined {
  return readSecretFile(path.join(dataDir, previousWalletKeyFile));
}

/**
 * Replaces the stored wallet key. The order is safe at every crash: the old key is copied to a second file before the first file is
 * overwritten. The copy is deleted only after `rewrap` has rewrapped every wallet. A call after an interrupted rotation continues with its
 * two keys and generates no third one.
 */
export async function rotateStoredWalletKey(dataDir: string, rewrap: (keys: WalletKeys) => Promise<void>): Promise<void> {
  await rewrap(startOrResume(dataDir));
  removeDurably(path.join(dataDir, previousWalletKeyFile));
}

function startOrResume(dataDir: string): WalletKeys {
  const file = path.join(dataDir, walletKeyFile);
  const stored = readSecretFile(file);
  if (stored === undefined) throw new CannotStart(`There is no wallet key in ${dataDir}: give both as settings.`);
  const previous = readPreviousWalletKey(dataDir);
  if (previous !== undefined && previous !== stored) return { current: stored, previous };
  if (previous === undefined) writeDurably(path.join(dataDir, previousWalletKeyFile), `${stored}\n`);
  const current = randomText();
  writeDurably(file, `${current}\n`);
  return { current, previous: stored };
}
