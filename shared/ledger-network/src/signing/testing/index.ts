import { signHash } from '../keys/ed25519.js';
import { masterKeys } from '../keys/master-keys.js';
import { openWalletKey, type SealedSeed } from '../keys/wallet-keys.js';

/** Signs with the key of a wallet without any check, as a thief would who has the master key. */
export function stolenKey(masterKey: string, sealed: SealedSeed, owner: string): (hash: Buffer) => Buffer {
  const key = openWalletKey(masterKeys({ current: masterKey }), sealed, owner);
  return (hash) => signHash(key, hash);
}
