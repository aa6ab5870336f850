import { z } from 'zod';
import { scopes, toInstant } from '@holdfast/kernel/context';
import { isId, type ApiKeyId } from '@holdfast/kernel/ids';
import type { Deps, TokenClaims } from '../use-cases/ports.js';
import { jwtSigner, jwtVerifier, toSeconds } from './jwt.js';

const audience = 'holdfast-api';

const wireClaims = z.object({
  sub: z.custom<ApiKeyId>((value) => typeof value === 'string' && isId(value, 'key')),
  scp: z.array(z.enum(scopes)).min(1),
  num: z.int().positive(),
  exp: z.int().positive(),
});

/** Signs and verifies the access tokens of API keys. */
export function tokens(key: Buffer): Deps['tokens'] {
  const sign = jwtSigner({ key, audience });
  const verify = jwtVerifier({ key, audience });
  return {
    sign: ({ apiKeyId, scopes: scp, secretNumber: num, expiresAt }, at) =>
      sign({ sub: apiKeyId, scp, num, iat: toSeconds(at), exp: toSeconds(expiresAt) }),
    verify: (token) => {
      const claims = wireClaims.safeParse(verify(token));
      return claims.success ? toClaims(claims.data) : undefined;
    },
  };
}

function toClaims({ sub, scp, num, exp }: z.output<typeof wireClaims>): TokenClaims {
  return { apiKeyId: sub, scopes: scp, secretNumber: num, expiresAt: toInstant(exp * 1_000) };
}
