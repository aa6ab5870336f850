import {
  CannotStart,
  lockFolder,
  findRunning,
  rotateStoredWalletKey,
  type CommandSettings,
  type Installation,
} from '@holdfast/all-in-one/commands';
import { systemClock } from '@holdfast/kernel/context';
import { rewrapWallets } from './rewrap-wallets.js';

/** Requires the lock of the folder: a running process has read the old key and would not see the new one. */
export async function rotateStoredKey(
  installation: Installation,
  { holdfastDataDir: dataDir, databaseUrl }: CommandSettings,
): Promise<void> {
  // Where the database is in the folder, opening the installation has locked it already.
  const lock = databaseUrl === undefined ? undefined : await lockFolder(dataDir, 'command', systemClock());
  try {
    const running = findRunning(dataDir);
    if (running !== undefined && running.pid !== process.pid)
      throw new CannotStart(`Holdfast (process ${running.pid}) is running on ${dataDir}: stop it first. Nothing was changed.`);
    await rotateStoredWalletKey(dataDir, (keys) => rewrapWallets(installation, keys));
  } finally {
    lock?.release();
  }
}
