import { hkdfSync } from 'node:crypto';

const keyBytes = 32;

/** Derives one key per purpose from a secret (HKDF), so that a leaked key does not reveal the others. */
export function purposeKeys(secret: string | Buffer): (purpose: string) => Buffer {
  return (purpose) => Buffer.from(hkdfSync('sha256', secret, 'holdfast', purpose, keyBytes));
}
