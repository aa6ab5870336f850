import { processEnvironment } from '@holdfast/service-host/config';
import { onInstallation } from './command/on-installation.js';
import { runCommand } from './command/run-command.js';
import { readGivenKeys } from './rotate-wallet-keys/given-keys.js';
import { rewrapWallets } from './rotate-wallet-keys/rewrap-wallets.js';
import { rotateKeptKey } from './rotate-wallet-keys/rotate-kept-key.js';

/**
 * `npm run rotate-wallet-keys`: wraps the keys of all wallets with a new master key. Where the keys are settings, the services
 * must run with both of them by now. Where the data folder keeps the key, nothing may run: a new one is made and kept. It may
 * be cut off at any moment and begun again.
 */
await runCommand(async () => {
  const given = readGivenKeys(processEnvironment());
  const outcome = await onInstallation(async (installation, settings) => {
    if (given === undefined) {
      await rotateKeptKey(installation, settings);
      return `Done: ${settings.holdfastDataDir} keeps the new key, and the old one is gone.`;
    }
    await rewrapWallets(installation, given);
    return 'Done. Leave WALLET_MASTER_KEY_PREVIOUS out at the next start: nothing needs it any more.';
  });
  console.log(outcome);
  return 0;
});
