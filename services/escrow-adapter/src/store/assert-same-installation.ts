import type { Database } from '@holdfast/postgres';
import { ConfigError } from '@holdfast/process/config';
import { installationFaults, type InstallationIdentity } from '../domain/installation.js';
import type { WalletKeys } from '@holdfast/ledger-network/signing';
import { identityStore } from './identity-store.js';

/** Throws a ConfigError where the data belong to other accounts, another network or another master key; see `installationFaults`. */
export function assertSameInstallation(
  database: Pick<Database, 'lists'>,
  identity: InstallationIdentity,
  keys: Pick<WalletKeys, 'currentId' | 'knownIds' | 'opens'>,
): Promise<void> {
  return identityStore(database).onLocked({ ...identity, masterKeyIds: [keys.currentId] }, ({ stored, samples }) => {
    const judged = samples.map((wallet) => ({ ...wallet, isOpened: keys.opens(wallet, wallet.userId) }));
    const faults = installationFaults({ stored, samples: judged }, identity, keys);
    if (faults.length > 0) throw new ConfigError(faults);
    return [...new Set([...stored.masterKeyIds, ...samples.map(({ masterKeyId }) => masterKeyId), keys.currentId])];
  });
}
