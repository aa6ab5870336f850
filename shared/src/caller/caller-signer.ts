import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Caller, Clock } from '../context/index.js';
import type { ServiceName } from '../contracts/services/index.js';
import { AppError } from '../errors/index.js';
import { decodeClaims, encodeClaims, type Claims } from './claims.js';

/** The header that carries the caller from the gateway to a service. Names like it never pass the gateway from outside. */
export const callerHeader = 'x-holdfast-caller';

/** How long a signed caller is good for. It only has to survive the way from the gateway to a service. */
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

/** Made once per process: the key is derived here, and what was signed or verified a moment ago is remembered. */
export function callerSigner({ secret, clock }: SignerOptions): CallerSigner {
  const key = Buffer.from(hkdfSync('sha256', secret, 'holdfast', callerHeader, 32));
  const signed = new Map<ServiceName, Map<string, Signed>>();
  const names = new WeakMap<Caller, string>();
  const verified = new Map<string, Claims>();

  const sign = (who: VerifiedCaller, audience: ServiceName): string => {
    const now = clock.epochMs();
    const name = who.operationId === undefined ? nameOf(names, who.caller) : undefined;
    const known = name === undefined ? undefined : signed.get(audience)?.get(name);
    if (known !== undefined && known.freshUntilMs > now) return known.header;
    const text = encodeClaims({ ...who, audience, issuedAtMs: now, expiresAtMs: now + callerLifetimeMs });
    const header = `${text}.${signatureOf(key, text).toString('base64url')}`;
    if (name !== undefined) remember(mapOf(signed, audience), name, { header, freshUntilMs: now + signedFreshMs });
    return header;
  };

  const verify = (header: string | undefined, audience: ServiceName): VerifiedCaller => {
    if (header === undefined) throw refused('no signed caller');
    const known = verified.get(header);
    const claims = known ?? openHeader(key, header);
    checkClaims(claims, audience, clock.epochMs());
    if (known === undefined) remember(verified, header, claims);
    return claims;
  };

  return { sign, verify };
}

/** One signature serves all requests of a caller for this long, which is what makes signing cheap. */
const signedFreshMs = 1_000;
const rememberedMax = 5_000;
const headerLengthMax = 4_096;

type Signed = { readonly header: string; readonly freshUntilMs: number };

/** The same for callers that are the same. The object of a caller who asks often lasts, and its name is made once. */
function nameOf(names: WeakMap<Caller, string>, caller: Caller): string {
  const known = names.get(caller);
  if (known !== undefined) return known;
  const { type, id, marketplaceId, scopes, expiresAt = '' } = caller;
  const name = `${type} ${id} ${marketplaceId} ${scopes.join()} ${expiresAt}`;
  names.set(caller, name);
  return name;
}

function mapOf(signed: Map<ServiceName, Map<string, Signed>>, audience: ServiceName): Map<string, Signed> {
  const known = signed.get(audience) ?? new Map<string, Signed>();
  signed.set(audience, known);
  return known;
}

function remember<T>(cache: Map<string, T>, name: string, value: T): void {
  if (cache.size >= rememberedMax) cache.clear();
  cache.set(name, value);
}

function signatureOf(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function openHeader(key: Buffer, header: string): Claims {
  if (header.length > headerLengthMax) throw refused('the signed caller is too long');
  const dot = header.lastIndexOf('.');
  const text = header.slice(0, dot);
  const given = Buffer.from(header.slice(dot + 1), 'base64url');
  const wanted = signatureOf(key, text);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw refused('the signature of the caller does not match');
  return decodeClaims(text) ?? throwRefused('the signed caller cannot be read');
}

function checkClaims(claims: Claims, audience: ServiceName, nowMs: number): void {
  if (claims.audience !== audience) throw refused('the signed caller is meant for another service');
  if (nowMs > claims.expiresAtMs + clockToleranceMs) throw refused('the signed caller has expired');
  if (nowMs < claims.issuedAtMs - clockToleranceMs) throw refused('the signed caller comes from the future');
}

/** The reason is for the log: whoever calls a service directly learns only that a credential is missing. */
function refused(reason: string): AppError {
  return new AppError('UNAUTHORIZED', {}, { cause: new Error(reason) });
}

function throwRefused(reason: string): never {
  throw refused(reason);
}
