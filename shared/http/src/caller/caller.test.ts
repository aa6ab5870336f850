import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import { createDecoder, createSigner } from 'fast-jwt';
import type { Caller } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import { callerHeader, callerLifetimeMs, callerSigner, clockToleranceMs } from './index.js';

const secret = 's'.repeat(32);
const caller: Caller = { type: 'api_key', id: 'key_1', marketplaceId: 'mkt_default', scopes: ['read', 'write'] };
const startMs = 1_700_000_000_000;
const key = Buffer.from(hkdfSync('sha256', secret, 'holdfast', callerHeader, 32));

function aSigner(options: { readonly secret?: string } = {}) {
  const time = { ms: startMs };
  return { time, signer: callerSigner({ secret: options.secret ?? secret, clock: { epochMs: () => time.ms } }) };
}

/** Why a token is refused, or that it is accepted. */
function outcomeOf(act: () => unknown): string {
  try {
    act();
    return 'accepted';
  } catch (error) {
    if (!isAppError(error, 'UNAUTHORIZED') || !(error.cause instanceof Error)) throw error;
    return error.cause.message;
  }
}

function partsOf(token: string): readonly [string, string, string] {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload, signature];
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a caller token', () => {
  it('has the caller, its operation id and the expiry of its credential', () => {
    const { signer } = aSigner();
    const sent = [
      { caller },
      { caller, operationId: 'op-1' },
      { caller: { ...caller, expiresAt: '2027-01-01T00:00:00.000000Z' } },
    ] as const;
    for (const one of sent) expect(signer.verify(signer.sign(one, 'orders'), 'orders')).toEqual(one);
  });

  it('is valid only for the service that it was issued for', () => {
    const { signer } = aSigner();
    const token = signer.sign({ caller }, 'orders');
    expect(outcomeOf(() => signer.verify(token, 'orders'))).toBe('accepted');
    expect(outcomeOf(() => signer.verify(token, 'payments'))).toBe('The aud claim value is not allowed.');
  });

  it('expires after its lifetime and the clock tolerance', () => {
    const { signer, time } = aSigner();
    const token = signer.sign({ caller }, 'orders');
    time.ms += callerLifetimeMs + clockToleranceMs;
    expect(outcomeOf(() => signer.verify(token, 'orders'))).toBe('accepted');
    time.ms += 1;
    expect(outcomeOf(() => signer.verify(token, 'orders'))).toContain('has expired');
  });

  it('is refused before its issue time minus the clock tolerance', () => {
    const { signer, time } = aSigner();
    const token = signer.sign({ caller }, 'orders');
    time.ms -= clockToleranceMs;
    expect(outcomeOf(() => signer.verify(token, 'orders'))).toBe('accepted');
    time.ms -= 1;
    expect(outcomeOf(() => signer.verify(token, 'orders'))).toContain('will be active');
  });

  it.each([undefined, '', '.', '..', 'x'.repeat(100_000)])('is refused when it is missing or malformed: %p', (given) => {
    expect(outcomeOf(() => aSigner().signer.verify(given, 'orders'))).not.toBe('accepted');
  });

  it('is refused when its payload or its signature was altered', () => {
    const { signer } = aSigner();
    const token = signer.sign({ caller }, 'orders');
    const [header, payload, signature] = partsOf(token);
    const claims: object = createDecoder()(token);
    const asMaster = encoded({ ...claims, caller: { ...caller, type: 'master' } });
    const altered = [`${header}.${asMaster}.${signature}`, `${token}x`, `${header}.${payload}.${signature.slice(1)}`];
    for (const given of altered) expect(outcomeOf(() => signer.verify(given, 'orders'))).toBe('The token signature is invalid.');
    expect(outcomeOf(() => signer.verify(`${header}.${payload}.`, 'orders'))).toBe('The token signature is missing.');
  });

  it('is refused when it was signed with the secret of another installation', () => {
    const token = aSigner({ secret: 'x'.repeat(32) }).signer.sign({ caller }, 'orders');
    expect(outcomeOf(() => aSigner().signer.verify(token, 'orders'))).toBe('The token signature is invalid.');
  });

  it('is refused with any algorithm but HS256', () => {
    const { signer } = aSigner();
    const [, payload, signature] = partsOf(signer.sign({ caller }, 'orders'));
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const options = { iss: 'holdfast', aud: 'orders', notBefore: 0, expiresIn: callerLifetimeMs, clockTimestamp: startMs };
    const withOtherAlgorithms = [
      createSigner({ ...options, key: privateKey, algorithm: 'RS256' })({ caller }),
      createSigner({ ...options, key, algorithm: 'HS512' })({ caller }),
      `${encoded({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`,
      `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
    ];
    for (const token of withOtherAlgorithms) {
      expect(outcomeOf(() => signer.verify(token, 'orders'))).toBe('The token algorithm is invalid.');
    }
    const unsigned = createSigner({ ...options, algorithm: 'none' })({ caller });
    expect(outcomeOf(() => signer.verify(unsigned, 'orders'))).toBe('The token signature is missing.');
  });

  it.each([
    ['no caller', {}],
    ['an unknown caller type', { caller: { ...caller, type: 'root' } }],
    ['an unknown scope', { caller: { ...caller, scopes: ['everything'] } }],
  ])('is refused when it is signed but has %s', (_case, payload) => {
    const options = { iss: 'holdfast', aud: 'orders', notBefore: 0, expiresIn: callerLifetimeMs, clockTimestamp: startMs };
    const token = createSigner({ ...options, key, algorithm: 'HS256' })(payload);
    expect(outcomeOf(() => aSigner().signer.verify(token, 'orders'))).not.toBe('accepted');
  });

  it.each(['iss', 'aud', 'nbf', 'exp'])('is refused without the claim %s', (missing) => {
    const nowS = startMs / 1_000;
    const complete = { caller, iss: 'holdfast', aud: 'orders', nbf: nowS, exp: nowS + 30 };
    const token = createSigner({ key, algorithm: 'HS256' })({ ...complete, [missing]: undefined });
    expect(outcomeOf(() => aSigner().signer.verify(token, 'orders'))).toBe(`The ${missing} claim is required.`);
  });

  it('is refused when another issuer signed it', () => {
    const options = { aud: 'orders', notBefore: 0, expiresIn: callerLifetimeMs, clockTimestamp: startMs };
    const token = createSigner({ ...options, key, algorithm: 'HS256', iss: 'somebody' })({ caller });
    expect(outcomeOf(() => aSigner().signer.verify(token, 'orders'))).toBe('The iss claim value is not allowed.');
  });
});
