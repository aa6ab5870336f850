import { z } from 'zod';
import { CannotStart, type WalletKeys } from '@holdfast/all-in-one/commands';
import { optionalSetting, readConfig, secretSetting, type Environment } from '@holdfast/process/config';

const keySettings = z.object({
  walletMasterKey: optionalSetting(secretSetting({ description: 'The new key of all wallets.' })),
  walletMasterKeyPrevious: optionalSetting(secretSetting({ description: 'The current key of all wallets.' })),
});

/** Both keys, or undefined where neither is set: then the key of the data folder is rotated. */
export function readGivenKeys(env: Environment): WalletKeys | undefined {
  const { walletMasterKey: current, walletMasterKeyPrevious: previous } = readConfig(keySettings, env);
  if (current !== undefined && previous !== undefined) return { current, previous };
  if (current === undefined && previous === undefined) return undefined;
  throw new CannotStart(
    'Give the new key as WALLET_MASTER_KEY and the old one as WALLET_MASTER_KEY_PREVIOUS, or neither where the key is in the data folder.',
  );
}
