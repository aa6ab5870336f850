import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../use-cases/ports.js';

const secretBytes = 32;

/** Secrets are as long as the digest that is kept of them, so nobody finds one by trying, and no slow hash is needed. */
export const keySecrets: Deps['secrets'] = {
  make: () => randomBytes(secretBytes).toString('base64url'),
  hash: (text) => hash('sha256', text),
  isSame: (one, other) => timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex')),
};
