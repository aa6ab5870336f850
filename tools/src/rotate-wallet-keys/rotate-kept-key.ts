import {
  CannotStart,
  lockFolder,
  findRunning,
  rotateStoredWalletKey,
  type CommandSettings,
  type Installation,
} from '@holdfast/all-in-one';
import { systemClock } from '@holdfast/kernel/context';
import { rewrapWallets } from './rewrap-wallets.js';

/** Nobody else may use the folder: whatever runs has read the key before, and would not know the new one. */
export async function rotateKeptKey(
  installation: Installation,
  { holdfastDataDir: dataDir, databaseUrl }: CommandSettings,
): Promise<void> {
  // Where the database is in the folder as well, the folder was claimed together with it.
  const claim = databaseUrl === undefined ? undefined : await lockFolder(dataDir, 'command', systemClock());
  try {
    const running = findRunning(dataDir);
    if (running !== undefined && running.pid !== process.pid)
      throw new CannotStart(`Holdfast (process ${running.pid}) is running on ${dataDir}: stop it first. Nothing was changed.`);
    await rotateStoredWalletKey(dataDir, (keys) => rewrapWallets(installation, keys));
  } finally {
    claim?.release();
  }
}
