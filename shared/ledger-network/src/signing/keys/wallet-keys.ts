import { randomBytes } from 'node:crypto';
import { sealing } from '@holdfast/kernel/secrets';
import { signingKeyOf, type SigningKey } from './ed25519.js';
import type { MasterKeys } from './master-keys.js';

/** A wallet's encrypted seed, as it is stored. */
export type SealedSeed = { readonly sealedSeed: Buffer; readonly wrappedKey: Buffer; readonly masterKeyId: string };

/** Makes and seals the keys of wallets, without showing them. */
export type WalletKeys = {
  /** The ids of the master keys: the one that seals, and all that open. */
  readonly currentId: string;
  readonly knownIds: readonly string[];
  readonly make: (owner: string) => SealedSeed & { readonly address: string };
  /** Whether the master keys open the key of this wallet. */
  readonly opens: (wallet: SealedSeed & { readonly address: string }, owner: string) => boolean;
  readonly rewrap: (sealed: SealedSeed, owner: string) => SealedSeed;
};

export function walletKeysOf(keys: MasterKeys): WalletKeys {
  const { currentId, knownIds } = keys;
  return {
    currentId,
    knownIds,
    make: (owner) => makeWalletKey(keys, owner),
    opens: (wallet, owner) => {
      try {
        return openWalletKey(keys, wallet, owner).address === wallet.address;
      } catch {
        return false;
      }
    },
    rewrap: (sealed, owner) => rewrap(keys, sealed, owner),
  };
}

const seedBytes = 32;
const dataKeyBytes = 32;

/** Generates the key of an owner's wallet and returns it encrypted. */
export function makeWalletKey(keys: MasterKeys, owner: string): SealedSeed & { readonly address: string } {
  const seed = randomBytes(seedBytes);
  const dataKey = randomBytes(dataKeyBytes);
  const { address } = signingKeyOf(seed);
  const sealedSeed = sealing(dataKey).seal(seed, owner);
  const wrappedKey = keys.wrap(dataKey, owner);
  wipe(seed, dataKey);
  return { address, sealedSeed, wrappedKey, masterKeyId: keys.currentId };
}

export function openWalletKey(keys: MasterKeys, { sealedSeed, wrappedKey, masterKeyId }: SealedSeed, owner: string): SigningKey {
  const dataKey = keys.unwrap(wrappedKey, masterKeyId, owner);
  const seed = sealing(dataKey).open(sealedSeed, owner);
  const key = signingKeyOf(seed);
  wipe(seed, dataKey);
  return key;
}

/** Encrypts the data key with the current master key; the encrypted seed stays the same. */
export function rewrap(keys: MasterKeys, { sealedSeed, wrappedKey, masterKeyId }: SealedSeed, owner: string): SealedSeed {
  const dataKey = keys.unwrap(wrappedKey, masterKeyId, owner);
  const rewrapped = keys.wrap(dataKey, owner);
  wipe(dataKey);
  return { sealedSeed, wrappedKey: rewrapped, masterKeyId: keys.currentId };
}

function wipe(...secrets: readonly Buffer[]): void {
  for (const secret of secrets) secret.fill(0);
}
