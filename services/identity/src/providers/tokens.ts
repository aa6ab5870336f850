import { createSigner, createVerifier } from 'fast-jwt';
import { z } from 'zod';
import { scopes, toEpochMs, toInstant } from '@holdfast/kernel/context';
import { isId, type ApiKeyId } from '@holdfast/kernel/ids';
import type { Deps, TokenClaims } from '../use-cases/ports.js';

const algorithm = 'HS256';
const issuer = 'holdfast';
/** Tokens for people, on the other surface, have an audience of their own: neither opens the other. */
const audience = 'holdfast-api';

const wireClaims = z.object({
  sub: z.custom<ApiKeyId>((value) => typeof value === 'string' && isId(value, 'key')),
  scp: z.array(z.enum(scopes)).min(1),
  num: z.int().positive(),
  exp: z.int().positive(),
});

/** Signed with one algorithm, and believed with no other. Made once: the keys are prepared here. */
export function tokens(key: Buffer): Deps['tokens'] {
  const sign = createSigner({ key, algorithm, iss: issuer, aud: audience });
  const verify = createVerifier({
    key,
    algorithms: [algorithm],
    allowedIss: issuer,
    allowedAud: audience,
    requiredClaims: ['iss', 'aud', 'sub', 'exp'],
    // Whoever asks says what time it is, as for keys.
    ignoreExpiration: true,
    cache: false,
  });
  return {
    sign: ({ apiKeyId, scopes: scp, secretNumber: num, expiresAt }, at) =>
      sign({ sub: apiKeyId, scp, num, iat: toSeconds(at), exp: toSeconds(expiresAt) }),
    open: (token) => {
      const claims = wireClaims.safeParse(orUndefined(() => verify(token) as unknown));
      return claims.success ? toClaims(claims.data) : undefined;
    },
  };
}

function orUndefined(open: () => unknown): unknown {
  try {
    return open();
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
