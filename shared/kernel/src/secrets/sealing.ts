import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export type Sealing = {
  /** Encrypts a secret. `place` names the record that it belongs to, and `open` needs the same one. */
  readonly seal: (secret: Buffer, place: string) => Buffer;
  /** Throws if it was sealed with another key, for another place, or altered. */
  readonly open: (sealed: Buffer, place: string) => Buffer;
};

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM: nonce, tag and ciphertext. The place is additional authenticated data, so that a copied value does not open. */
export function sealing(key: Buffer): Sealing {
  return {
    seal: (secret, place) => {
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
