import { hkdfSync } from 'node:crypto';

const keyBytes = 32;

/** One secret per installation gives every purpose a key of its own; knowing one of them tells nothing about the others. */
export function purposeKeys(internalSecret: string): (purpose: string) => Buffer {
  return (purpose) => Buffer.from(hkdfSync('sha256', internalSecret, 'holdfast', purpose, keyBytes));
}
