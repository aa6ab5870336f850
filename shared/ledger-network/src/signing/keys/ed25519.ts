import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk';

/** A key pair with its address. The seed is inside a KeyObject, so it cannot be logged by accident. */
export type SigningKey = { readonly address: string; readonly publicKey: Buffer; readonly privateKey: KeyObject };

const seedBytes = 32;
/** The PKCS #8 prefix of an ed25519 seed. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export function signingKeyOf(seed: Buffer): SigningKey {
  if (seed.length !== seedBytes) throw new RangeError('the seed of an ed25519 key has 32 bytes');
  const encoded = Buffer.concat([pkcs8Prefix, seed]);
  const privateKey = createPrivateKey({ key: encoded, format: 'der', type: 'pkcs8' });
  encoded.fill(0);
  const publicKey = publicKeyOf(privateKey);
  return { address: StrKey.encodeEd25519PublicKey(publicKey), publicKey, privateKey };
}

/** Exported as a JWK, which is about fifty times faster than the other formats. */
function publicKeyOf(privateKey: KeyObject): Buffer {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}

/** node:crypto signs about twenty times faster than the SDK and returns the same bytes. */
export function signHash({ privateKey }: SigningKey, hash: Buffer): Buffer {
  return sign(null, hash, privateKey);
}
