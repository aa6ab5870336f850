import { z } from 'zod';
import { callerTypes, scopes, type Caller } from '../context/index.js';
import { serviceNames, type ServiceName } from '../contracts/services/index.js';
import { isId, type MarketplaceId } from '../ids/index.js';

export type Claims = {
  readonly caller: Caller;
  readonly operationId?: string;
  readonly audience: ServiceName;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
};

const wireClaims = z.strictObject({
  t: z.enum(callerTypes),
  i: z.string().min(1).max(100),
  m: z.custom<MarketplaceId>((value) => typeof value === 'string' && isId(value, 'mkt')),
  s: z.array(z.enum(scopes)).max(scopes.length),
  a: z.enum(serviceNames),
  b: z.int(),
  e: z.int(),
  o: z.string().max(200).optional(),
  x: z.templateLiteral([z.string().max(40), 'Z']).optional(),
});

/** Short names, since it travels with every request. */
export function encodeClaims({ caller, operationId, audience, issuedAtMs, expiresAtMs }: Claims): string {
  const wire: z.input<typeof wireClaims> = {
    t: caller.type,
    i: caller.id,
    m: caller.marketplaceId,
    s: [...caller.scopes],
    a: audience,
    b: issuedAtMs,
    e: expiresAtMs,
    ...(operationId === undefined ? {} : { o: operationId }),
    ...(caller.expiresAt === undefined ? {} : { x: caller.expiresAt }),
  };
  return Buffer.from(JSON.stringify(wire)).toString('base64url');
}

/** Undefined when the text is none of ours. The signature has been checked by then. */
export function decodeClaims(text: string): Claims | undefined {
  const wire = wireClaims.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!wire.success) return undefined;
  const { t, i, m, s, a, b, e, o, x } = wire.data;
  const caller = { type: t, id: i, marketplaceId: m, scopes: s, ...(x === undefined ? {} : { expiresAt: x }) };
  const claims = { caller, audience: a, issuedAtMs: b, expiresAtMs: e };
  return o === undefined ? claims : { ...claims, operationId: o };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
