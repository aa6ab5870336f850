import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export type Sealing = {
  /** Encrypts something for one place; elsewhere it cannot be opened. */
  readonly close: (secret: Buffer, place: string) => Buffer;
  /** Throws where it was sealed under another key or for another place, or is not what was sealed. */
  readonly open: (sealed: Buffer, place: string) => Buffer;
};

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Nonce, tag and ciphertext in a row. The place is authenticated with them, so that a row copied onto another opens nothing. */
export function sealing(key: Buffer): Sealing {
  return {
    close: (secret, place) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place));
      const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
    },
    open: (sealed, place) => {
      const nonce = sealed.subarray(0, nonceBytes);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(place));
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
    },
  };
}
