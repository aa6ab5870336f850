import { hash } from 'node:crypto';
import { createDecoder } from 'fast-jwt';
import { z } from 'zod';
import { toInstant } from '@holdfast/kernel/context';
import { isId, type UserId } from '@holdfast/kernel/ids';
import type { LoginDeps } from '../use-cases/login-ports.js';
import { jwtSigner, jwtVerifier, orUndefined, toSeconds } from './jwt.js';

const audience = 'holdfast-account';

const wireClaims = z.object({
  sub: z.custom<UserId>((value) => typeof value === 'string' && isId(value, 'usr')),
  exp: z.int().positive(),
});

const wireHeader = z.object({ header: z.object({ kid: z.string() }) });

/** The first key signs, every key verifies: a token names its key, so adding a key in front ends no login. */
export function loginTokens(keys: readonly Buffer[]): LoginDeps['loginTokens'] {
  const [current] = keys;
  if (current === undefined) throw new Error('tokens need a key');
  const sign = jwtSigner({ key: current, audience, kid: nameOf(current) });
  const verifiers = new Map(keys.map((key) => [nameOf(key), jwtVerifier({ key, audience })]));
  const decode = createDecoder({ complete: true });
  return {
    sign: ({ userId, expiresAt }, at) => sign({ sub: userId, iat: toSeconds(at), exp: toSeconds(expiresAt) }),
    verify: (token) => {
      const { data } = wireHeader.safeParse(orUndefined(() => decode(token)));
      const verify = verifiers.get(data?.header.kid ?? '');
      const claims = wireClaims.safeParse(verify?.(token));
      return claims.success ? { userId: claims.data.sub, expiresAt: toInstant(claims.data.exp * 1_000) } : undefined;
    },
  };
}

const nameLength = 16;

/** The name of a key reveals nothing about it. */
function nameOf(key: Buffer): string {
  return hash('sha256', key, 'hex').slice(0, nameLength);
}
