import { hash, verify } from '@node-rs/argon2';
import type { LoginDeps } from '../use-cases/login-ports.js';

/** 19 MiB and two passes, the minimum that OWASP recommends for Argon2id, which is the default algorithm of the library. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Argon2id, computed outside the main thread. */
export function createPasswords(argon2 = { hash, verify }): LoginDeps['passwords'] {
  return {
    hash: (password) => argon2.hash(composed(password), options),
    isRight: async (passwordHash, password) => {
      if (passwordHash !== undefined) return argon2.verify(passwordHash, composed(password));
      // Without a login the same work is done, so that the response time does not reveal which logins exist.
      await argon2.hash(composed(password), options);
      return false;
    },
  };
}

/** Keyboards send the same letter in one code point or in several. */
function composed(password: string): string {
  return password.normalize('NFC');
}
