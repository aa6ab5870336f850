import { ConfigError } from '@holdfast/process/config';
import type { MasterKeys } from './keys/master-keys.js';
import { openWalletKey } from './keys/wallet-keys.js';
import type { SealedWallet } from './store/wallet-store.js';

/** The accounts and the network that the data of an installation belong to. */
export type InstallationIdentity = {
  readonly treasuryAddress: string;
  readonly platformAddress: string;
  readonly usdcIssuer: string;
  readonly networkPassphrase: string;
};

export type StoredIdentity = InstallationIdentity & {
  /** Of the master keys that may wrap a wallet. */
  readonly masterKeyIds: readonly string[];
};

/** A transaction on the one row. Processes that start at the same time run it one after the other. */
export type IdentityStore = {
  readonly onLocked: (given: StoredIdentity, decide: (row: LockedIdentity) => readonly string[]) => Promise<void>;
};

export type LockedIdentity = {
  readonly stored: StoredIdentity;
  /** Only where this start has just stored the identity: one wallet for each master key that wraps any. */
  readonly samples: readonly SealedWallet[];
};

type Given = { readonly store: IdentityStore; readonly identity: InstallationIdentity; readonly keys: MasterKeys };

/**
 * Throws a ConfigError where the data belong to other accounts, another network or another master key than those given. The first start
 * stores what it is given; on data that are older than this check, only if its master keys open the wallets.
 */
export async function assertSameInstallation({ store, identity, keys }: Given): Promise<void> {
  await store.onLocked({ ...identity, masterKeyIds: [keys.currentId] }, ({ stored, samples }) => {
    const unopened = samples.filter((wallet) => !opens(keys, wallet)).map(({ masterKeyId }) => masterKeyId);
    const missing = [...unopened, ...unknownOf(keys, stored.masterKeyIds)];
    const faults = [...differencesBetween(stored, identity), ...keyFaults(keys, missing)];
    if (faults.length > 0) throw new ConfigError(faults);
    return withCurrent(keys, [...stored.masterKeyIds, ...samples.map(({ masterKeyId }) => masterKeyId)]);
  });
}

/** The ids of the needed master keys once the current key is in use. Throws where one of the needed keys is not given. */
export function withCurrent(keys: MasterKeys, needed: readonly string[]): readonly string[] {
  const missing = unknownOf(keys, needed);
  if (missing.length > 0) throw new ConfigError(keyFaults(keys, missing));
  return [...new Set([...needed, keys.currentId])];
}

function unknownOf({ knownIds }: MasterKeys, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => !knownIds.includes(id));
}

function opens(keys: MasterKeys, wallet: SealedWallet): boolean {
  try {
    return openWalletKey(keys, wallet, wallet.userId).address === wallet.address;
  } catch {
    return false;
  }
}

const replacing = 'To replace it on purpose follow docs/operations/key-rotation.md.';

function differencesBetween(stored: InstallationIdentity, given: InstallationIdentity): readonly string[] {
  const faultsOf = (property: keyof InstallationIdentity, fault: string): readonly string[] =>
    stored[property] === given[property] ? [] : [fault];
  return [
    ...faultsOf(
      'treasuryAddress',
      `TREASURY_SEED is the seed of ${given.treasuryAddress}, but the treasury of this installation is ${stored.treasuryAddress}: start with the seed of that account. ${replacing}`,
    ),
    ...faultsOf(
      'platformAddress',
      `PLATFORM_SEED is the seed of ${given.platformAddress}, but the platform's account of this installation is ${stored.platformAddress}: start with the seed of that account. ${replacing}`,
    ),
    ...faultsOf(
      'usdcIssuer',
      `USDC_ISSUER is ${given.usdcIssuer}, but the balances of this installation are USDC of ${stored.usdcIssuer}: start with that issuer, or with another database.`,
    ),
    ...faultsOf(
      'networkPassphrase',
      `LEDGER_NETWORK_PASSPHRASE is "${given.networkPassphrase}", but this installation belongs to the network "${stored.networkPassphrase}": start with that passphrase, or with another database.`,
    ),
  ];
}

function keyFaults({ knownIds, currentId }: MasterKeys, missing: readonly string[]): readonly string[] {
  const given = knownIds.length > 1 ? `, WALLET_MASTER_KEY_PREVIOUS has the id ${knownIds.at(-1)}` : '';
  return [...new Set(missing)].map(
    (id) =>
      `WALLET_MASTER_KEY has the id ${currentId}${given}, but wallets of this installation need the key with the id ${id}: start with that key. ` +
      `To replace it, or if it is being replaced, give it as WALLET_MASTER_KEY_PREVIOUS until npm run rotate-wallet-keys has ended.`,
  );
}
