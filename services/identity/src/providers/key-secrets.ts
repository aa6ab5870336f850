import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../use-cases/ports.js';

const secretBytes = 32;

/** Secrets are 256 random bits and cannot be found by brute force, so a slow password hash is not needed. */
export const keySecrets: Deps['secrets'] = {
  generate: () => randomBytes(secretBytes).toString('base64url'),
  hash: (text) => hash('sha256', text),
  isEqual: (one, other) => timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex')),
};
