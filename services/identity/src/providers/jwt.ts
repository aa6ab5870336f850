import { createSigner, createVerifier } from 'fast-jwt';
import { toEpochMs, type Instant } from '@holdfast/kernel/context';

const algorithm = 'HS256';
const issuer = 'holdfast';

type Key = {
  readonly key: Buffer;
  /** Tokens of each kind have their own audience and key, so that none is accepted in place of another. */
  readonly audience: string;
};

type SignClaims = (claims: Readonly<Record<string, unknown>>) => string;

/** Signs tokens with one fixed algorithm and issuer. Call it once, because it prepares the key. */
export function jwtSigner({ key, audience, kid }: Key & { readonly kid?: string }): SignClaims {
  return createSigner({ key, algorithm, iss: issuer, aud: audience, ...(kid === undefined ? {} : { kid }) });
}

/** Returns the claims of a token, or undefined if we did not sign it. The caller checks the expiry with the time of the request. */
export function jwtVerifier({ key, audience }: Key): (token: string) => unknown {
  const verify = createVerifier({
    key,
    algorithms: [algorithm],
    allowedIss: issuer,
    allowedAud: audience,
    requiredClaims: ['iss', 'aud', 'sub', 'exp'],
    ignoreExpiration: true,
    cache: false,
  });
  return (token) => orUndefined(() => verify(token) as unknown);
}

export function orUndefined(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Times in tokens are whole seconds. */
export function toSeconds(at: Instant): number {
  return Math.floor(toEpochMs(at) / 1_000);
}
