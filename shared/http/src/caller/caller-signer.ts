import { hkdfSync } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';
import { z } from 'zod';
import { callerTypes, scopes, type Caller, type Clock } from '@holdfast/kernel/context';
import { serviceNames, type ServiceName } from '@holdfast/contracts/services';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type MarketplaceId } from '@holdfast/kernel/ids';

/** The header that carries the caller from the gateway to a service. Names like it never pass the gateway from outside. */
export const callerHeader = 'x-holdfast-caller';

/** How long a token is valid. It only has to survive the way from the gateway to a service. */
export const callerLifetimeMs = 30_000;

/** How far the clocks of two machines may be apart. */
export const clockToleranceMs = 5_000;

/** A caller as the gateway vouches for it, and the operation its Idempotency-Key stands for. */
export type VerifiedCaller = { readonly caller: Caller; readonly operationId?: string };

export type CallerSigner = {
  readonly sign: (verified: VerifiedCaller, audience: ServiceName) => string;
  /** The caller in a header, or UNAUTHORIZED: missing, forged, expired, or meant for another service. */
  readonly verify: (header: string | undefined, audience: ServiceName) => VerifiedCaller;
};

type SignerOptions = { readonly secret: string; readonly clock: Pick<Clock, 'epochMs'> };

const issuer = 'holdfast';
const algorithm = 'HS256';

const claims = z.object({
  /** In seconds, as the standard wants them. */
  nbf: z.number(),
  exp: z.number(),
  caller: z.object({
    type: z.enum(callerTypes),
    id: z.string().min(1).max(100),
    marketplaceId: z.custom<MarketplaceId>((value) => typeof value === 'string' && isId(value, 'mkt')),
    scopes: z.array(z.enum(scopes)).max(scopes.length),
    expiresAt: z.templateLiteral([z.string().max(40), 'Z']).exactOptional(),
  }),
  operationId: z.string().max(200).exactOptional(),
});

/**
 * The caller travels between the parts of the platform as a JWT. Its key is derived from the secret of the installation, so
 * that no other use of that secret can produce a valid token. A verifier of fast-jwt knows the system's time or a fixed one, so the
 * two times in a token are compared with the clock here.
 */
export function callerSigner({ secret, clock }: SignerOptions): CallerSigner {
  const key = Buffer.from(hkdfSync('sha256', secret, 'holdfast', callerHeader, 32));
  const signToken = createSigner({ key, algorithm });
  const verifiers = new Map(serviceNames.map((audience) => [audience, createTokenVerifier(key, audience)]));
  return {
    sign: ({ caller, operationId }, aud) => {
      const iat = Math.floor(clock.epochMs() / 1_000);
      return signToken({ iss: issuer, aud, iat, nbf: iat, exp: iat + callerLifetimeMs / 1_000, caller, operationId });
    },
    verify: (header, audience) => {
      try {
        const { caller, operationId, ...times } = claims.parse(verifiers.get(audience)?.(header ?? ''));
        requireCurrent(times, clock.epochMs());
        return operationId === undefined ? { caller } : { caller, operationId };
      } catch (error) {
        // The reason is for the log: whoever calls a service directly learns only that a credential is missing.
        throw new AppError('UNAUTHORIZED', {}, { cause: error });
      }
    },
  };
}

function createTokenVerifier(key: Buffer, audience: ServiceName): (token: string) => unknown {
  return createVerifier({
    key,
    algorithms: [algorithm],
    allowedIss: issuer,
    allowedAud: audience,
    requiredClaims: ['iss', 'aud', 'nbf', 'exp'],
    ignoreNotBefore: true,
    ignoreExpiration: true,
    cache: false,
  });
}

function requireCurrent({ nbf, exp }: { readonly nbf: number; readonly exp: number }, nowMs: number): void {
  if (nowMs < nbf * 1_000 - clockToleranceMs) throw new Error('The token will be active later.');
  if (nowMs > exp * 1_000 + clockToleranceMs) throw new Error('The token has expired.');
}
