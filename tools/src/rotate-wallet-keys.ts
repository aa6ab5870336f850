import { explain, openInstallation, readCommandSettings } from '@holdfast/all-in-one';
import { processEnvironment } from '@holdfast/shared/config';
import { readGivenKeys } from './rotate-wallet-keys/given-keys.js';
import { rewrapWallets } from './rotate-wallet-keys/rewrap-wallets.js';
import { rotateKeptKey } from './rotate-wallet-keys/rotate-kept-key.js';

/**
 * `npm run rotate-wallet-keys`: wraps the keys of all wallets with a new master key. Where the keys are settings, the services
 * must run with both of them by now. Where the data folder keeps the key, nothing may run: a new one is made and kept. It may
 * be cut off at any moment and begun again.
 */
try {
  const given = readGivenKeys(processEnvironment());
  const config = readCommandSettings(processEnvironment());
  const installation = await openInstallation(config, (fact) => console.log(`… ${fact}`));
  try {
    if (given === undefined) await rotateKeptKey(installation, config);
    else await rewrapWallets(installation, given);
  } finally {
    await installation.close();
  }
  const next = 'Leave WALLET_MASTER_KEY_PREVIOUS out at the next start: nothing needs it any more.';
  console.log(
    given === undefined ? `Done: ${config.holdfastDataDir} keeps the new key, and the old one is gone.` : `Done. ${next}`,
  );
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
