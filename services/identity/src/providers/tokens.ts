import { createSigner, createVerifier } from 'fast-jwt';
import { z } from 'zod';
import { scopes, toEpochMs, toInstant } from '@holdfast/kernel/context';
import { isId, type ApiKeyId } from '@holdfast/kernel/ids';
import type { Deps, TokenClaims } from '../use-cases/ports.js';

const algorithm = 'HS256';
const issuer = 'holdfast';
/** Tokens of other kinds have another audience, so that neither is accepted in place of the other. */
const audience = 'holdfast-api';

const wireClaims = z.object({
  sub: z.custom<ApiKeyId>((value) => typeof value === 'string' && isId(value, 'key')),
  scp: z.array(z.enum(scopes)).min(1),
  num: z.int().positive(),
  exp: z.int().positive(),
});

/** Signs and verifies access tokens with one fixed algorithm. Call it once, because it prepares the keys. */
export function tokens(key: Buffer): Deps['tokens'] {
  const sign = createSigner({ key, algorithm, iss: issuer, aud: audience });
  const verify = createVerifier({
    key,
    algorithms: [algorithm],
    allowedIss: issuer,
    allowedAud: audience,
    requiredClaims: ['iss', 'aud', 'sub', 'exp'],
    // The caller checks the expiry with the time of the request, as for keys.
    ignoreExpiration: true,
    cache: false,
  });
  return {
    sign: ({ apiKeyId, scopes: scp, secretNumber: num, expiresAt }, at) =>
      sign({ sub: apiKeyId, scp, num, iat: toSeconds(at), exp: toSeconds(expiresAt) }),
    verify: (token) => {
      const claims = wireClaims.safeParse(orUndefined(() => verify(token) as unknown));
      return claims.success ? toClaims(claims.data) : undefined;
    },
  };
}

function orUndefined(verify: () => unknown): unknown {
  try {
    return verify();
  } catch {
    return undefined;
  }
}

function toClaims({ sub, scp, num, exp }: z.output<typeof wireClaims>): TokenClaims {
  return { apiKeyId: sub, scopes: scp, secretNumber: num, expiresAt: toInstant(exp * 1_000) };
}

function toSeconds(at: TokenClaims['expiresAt']): number {
  return Math.floor(toEpochMs(at) / 1_000);
}
