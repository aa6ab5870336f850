import { randomBytes } from 'node:crypto';
import { sealing } from '@holdfast/kernel/secrets';
import { signingKeyOf, type SigningKey } from './ed25519.js';
import type { MasterKeys } from './master-keys.js';

/** A wallet's encrypted seed, as it is stored. */
export type SealedSeed = { readonly sealedSeed: Buffer; readonly wrappedKey: Buffer; readonly masterKeyId: string };

const seedBytes = 32;
const dataKeyBytes = 32;

/** Generates the key of a user's wallet and returns it encrypted. */
export function makeWalletKey(keys: MasterKeys, userId: string): SealedSeed & { readonly address: string } {
  const seed = randomBytes(seedBytes);
  const dataKey = randomBytes(dataKeyBytes);
  const { address } = signingKeyOf(seed);
  const sealedSeed = sealing(dataKey).close(seed, userId);
  const wrappedKey = keys.wrap(dataKey, userId);
  wipe(seed, dataKey);
  return { address, sealedSeed, wrappedKey, masterKeyId: keys.currentId };
}

export function openWalletKey(keys: MasterKeys, { sealedSeed, wrappedKey, masterKeyId }: SealedSeed, userId: string): SigningKey {
  const dataKey = keys.unwrap(wrappedKey, masterKeyId, userId);
  const seed = sealing(dataKey).open(sealedSeed, userId);
  const key = signingKeyOf(seed);
  wipe(seed, dataKey);
  return key;
}

/** Encrypts the data key with the current master key; the encrypted seed stays the same. */
export function rewrap(keys: MasterKeys, { sealedSeed, wrappedKey, masterKeyId }: SealedSeed, userId: string): SealedSeed {
  const dataKey = keys.unwrap(wrappedKey, masterKeyId, userId);
  const rewrapped = keys.wrap(dataKey, userId);
  wipe(dataKey);
  return { sealedSeed, wrappedKey: rewrapped, masterKeyId: keys.currentId };
}

function wipe(...secrets: readonly Buffer[]): void {
  for (const secret of secrets) secret.fill(0);
}
