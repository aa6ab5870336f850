import { createSigner, createVerifier } from 'fast-jwt';
import { z } from 'zod';
import { callerTypes, scopes, type Caller, type Clock } from '@holdfast/kernel/context';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import { serviceNames, type ServiceName } from '@holdfast/contracts/services';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type MarketplaceId } from '@holdfast/kernel/ids';
import { purposeKeys } from '@holdfast/kernel/secrets';

/** The header with the caller token. The gateway removes headers with this prefix from clients' requests. */
export const callerHeader = 'x-holdfast-caller';

/** How long a token is valid: long enough for one request from the gateway to a service. */
export const callerLifetimeMs = 30_000;

/** Allowed difference between the clocks of two machines. */
export const clockToleranceMs = 5_000;

/** The caller that the gateway has verified, the operation id of its Idempotency-Key, and the address of a person who logs in. */
export type VerifiedCaller = { readonly caller: Caller; readonly operationId?: string; readonly clientAddress?: string };

export type CallerSigner = {
  readonly sign: (verified: VerifiedCaller, audience: ServiceName) => string;
  /** The caller in a token. UNAUTHORIZED if it is missing, forged, expired, or issued for another service. */
  readonly verify: (header: string | undefined, audience: RouteDeclaration['service']) => VerifiedCaller;
};

type SignerOptions = { readonly secret: string; readonly clock: Pick<Clock, 'epochMs'> };

const issuer = 'holdfast';
const algorithm = 'HS256';

const claims = z.object({
  /** In seconds, as the JWT standard defines. */
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
  clientAddress: z.string().max(200).exactOptional(),
});

/**
 * Passes the caller between services as a JWT. Its key is derived from the secret of the installation for this purpose, so that
 * no other use of that secret can produce a valid token. fast-jwt accepts only the system time or a fixed time, so `nbf` and `exp`
 * are checked here, with the injected clock.
 */
export function callerSigner({ secret, clock }: SignerOptions): CallerSigner {
  const key = purposeKeys(secret)(callerHeader);
  const signToken = createSigner({ key, algorithm });
  const verifiers = new Map<string, ReturnType<typeof createTokenVerifier>>(
    serviceNames.map((audience) => [audience, createTokenVerifier(key, audience)]),
  );
  return {
    sign: (verified, aud) => {
      const iat = Math.floor(clock.epochMs() / 1_000);
      return signToken({ iss: issuer, aud, iat, nbf: iat, exp: iat + callerLifetimeMs / 1_000, ...verified });
    },
    verify: (header, audience) => {
      try {
        const { nbf, exp, ...verified } = claims.parse(verifiers.get(audience)?.(header ?? ''));
        assertCurrent({ nbf, exp }, clock.epochMs());
        return verified;
      } catch (error) {
        // Only the log has the reason; the client gets UNAUTHORIZED without details.
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

function assertCurrent({ nbf, exp }: { readonly nbf: number; readonly exp: number }, nowMs: number): void {
  if (nowMs < nbf * 1_000 - clockToleranceMs) throw new Error('The token will be active later.');
  if (nowMs > exp * 1_000 + clockToleranceMs) throw new Error('The token has expired.');
}
