import { hkdfSync } from 'node:crypto';

const keyBytes = 32;

/** Derives one key per purpose from the secret of the installation (HKDF), so that a leaked key does not reveal the others. */
export function purposeKeys(internalSecret: string): (purpose: string) => Buffer {
  return (purpose) => Buffer.from(hkdfSync('sha256', internalSecret, 'holdfast', purpose, keyBytes));
}
