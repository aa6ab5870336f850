import { processEnvironment } from '@holdfast/process/config';
import { onInstallation } from './command/on-installation.js';
import { runCommand } from './command/run-command.js';
import { readGivenKeys } from './rotate-wallet-keys/given-keys.js';
import { rewrapWallets } from './rotate-wallet-keys/rewrap-wallets.js';
import { rotateStoredKey } from './rotate-wallet-keys/rotate-stored-key.js';

/**
 * `npm run rotate-wallet-keys`: wraps the keys of all wallets with a new master key. Where both keys are settings, the services
 * must already run with both. Where the key is in the data folder, nothing may run, and a new key is generated and stored. An
 * interrupted rotation can be repeated.
 */
await runCommand(async () => {
  const given = readGivenKeys(processEnvironment());
  const message = await onInstallation(async (installation, settings) => {
    if (given === undefined) {
      await rotateStoredKey(installation, settings);
      return `Done: ${settings.holdfastDataDir} has the new key, and the old one is deleted.`;
    }
    await rewrapWallets(installation, given);
    return 'Done. Leave WALLET_MASTER_KEY_PREVIOUS out at the next start: nothing needs it any more.';
  });
  console.log(message);
  return 0;
});
