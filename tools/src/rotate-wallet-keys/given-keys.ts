import { z } from 'zod';
import { CannotStart, type WalletKeys } from '@holdfast/all-in-one';
import { optionalSetting, readConfig, secretSetting, type Environment } from '@holdfast/service-host/config';

const keySettings = z.object({
  walletMasterKey: optionalSetting(secretSetting({ description: 'The key that all wallets shall have.' })),
  walletMasterKeyPrevious: optionalSetting(secretSetting({ description: 'The key that they have now.' })),
});

/** Both keys, or undefined where neither is a setting: then the data folder keeps them. */
export function readGivenKeys(env: Environment): WalletKeys | undefined {
  const { walletMasterKey: current, walletMasterKeyPrevious: previous } = readConfig(keySettings, env);
  if (current !== undefined && previous !== undefined) return { current, previous };
  if (current === undefined && previous === undefined) return undefined;
  throw new CannotStart(
    'Give the new key as WALLET_MASTER_KEY and the old one as WALLET_MASTER_KEY_PREVIOUS, or neither where the data folder keeps it.',
  );
}
