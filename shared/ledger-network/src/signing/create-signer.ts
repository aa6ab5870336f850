import { masterKeys } from './keys/master-keys.js';
import { openKeys, type SealedWallet } from './keys/open-keys.js';
import { platformAccounts, platformKeys, type PlatformAccounts, type PlatformSeeds } from './keys/platform-keys.js';
import { walletKeysOf, type WalletKeys } from './keys/wallet-keys.js';
import { signerWith, type SignerDeps, type TransactionSigner } from './signer.js';

export type Secrets = {
  readonly seeds: PlatformSeeds;
  /** Seals the keys of the wallets. */
  readonly masterKey: string;
  /** During a rotation. */
  readonly previousMasterKey?: string | undefined;
};

export type Signing = TransactionSigner & {
  readonly accounts: PlatformAccounts;
  readonly walletKeys: WalletKeys;
};

export type SigningDeps = Omit<SignerDeps, 'platformKeys' | 'findWallet'> & {
  /** Throws for an owner without a wallet. */
  readonly findSealed: (owner: string) => Promise<SealedWallet>;
};

/** The keys never leave this folder: what is returned signs, seals and names addresses. */
export function createSigner({ seeds, masterKey, previousMasterKey }: Secrets, { findSealed, ...deps }: SigningDeps): Signing {
  const keys = masterKeys({ current: masterKey, previous: previousMasterKey });
  return {
    ...signerWith({ ...deps, platformKeys: platformKeys(seeds), findWallet: openKeys({ findSealed, keys }) }),
    accounts: platformAccounts(seeds),
    walletKeys: walletKeysOf(keys),
  };
}

/** Creates the wallet keys that a rotation of the master key needs. */
export function createWalletKeys(given: { readonly current: string; readonly previous?: string }): WalletKeys {
  return walletKeysOf(masterKeys(given));
}
