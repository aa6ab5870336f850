import { createHmac, hkdfSync } from 'node:crypto';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;
const secret = 'the-first-secret-of-the-login-tokens';

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

describe('the token of a login', () => {
  it('names its user, key, issuer, audience and expiry, and has no scopes', async () => {
    const { id, token } = await identity.aPerson();
    const [header, claims] = parts(token);
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
    const { iat, exp, ...others } = claims as { readonly iat: number; readonly exp: number };
    expect([others, exp - iat]).toEqual([{ sub: id, iss: 'holdfast', aud: 'holdfast-account' }, 86_400]);
    expect(await identity.verify(token)).toEqual({
      type: 'account',
      id,
      marketplaceId: 'mkt_default',
      scopes: [],
      expiresAt: `${new Date(exp * 1_000).toISOString().slice(0, 19)}.000000Z`,
    });
  });

  it('is refused when it is altered, signed with another key or algorithm, for another audience, or for an unknown login', async () => {
    const { id, token } = await identity.aPerson();
    const { id: customer } = await identity.aUser();
    const [head = '', body = '', signature = ''] = token.split('.');
    const [header, claims] = parts(token);
    const key = derived('identity login tokens');
    expect(await identity.verify(signed(header, claims, key))).toMatchObject({ id });
    const apiKey = await identity.aKey();
    const ofKey = (await identity.post(`/auth/api-keys/${apiKey.id}/token`, {})).data.token as string;
    const [, claimsOfKey] = parts(ofKey);
    const forged = [
      `${head}.${encoded({ ...claims, sub: customer })}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${encoded({ ...header, alg: 'none' })}.${body}.`,
      signed({ ...header, alg: 'HS512' }, claims, key, 'sha512'),
      signed({ ...header, kid: undefined }, claims, key),
      signed({ ...header, kid: '0123456789abcdef' }, claims, key),
      signed(header, claims, Buffer.from(secret)),
      signed(header, claims, derived('identity access tokens')),
      signed(header, claimsOfKey, key),
      signed(header, { ...claims, iss: 'somebody' }, key),
      signed(header, { ...claims, aud: undefined }, key),
      signed(header, { ...claims, exp: undefined }, key),
      signed(header, { ...claims, exp: 'never' }, key),
      signed(header, { ...claims, exp: 1 }, key),
      signed(header, { ...claims, sub: customer }, key),
      signed(header, { ...claims, sub: 'usr_unknown' }, key),
      signed(header, { ...claims, sub: apiKey.id }, key),
      'a.b.c',
    ];
    for (const text of forged) expect([text, await identity.verify(text)]).toEqual([text, null]);
    expect(await identity.verify(ofKey)).toMatchObject({ type: 'token', id: apiKey.id });
  });

  it('is refused once it has expired', async () => {
    const { token } = await identity.aPerson();
    identity.moveClock(86_400_000 - 60_000);
    expect(await identity.verify(token)).not.toBeNull();
    identity.moveClock(60_000);
    expect(await identity.verify(token)).toBeNull();
    const gateway = { type: 'system', id: 'gateway' } as const;
    const { data } = await identity.post('/internal/credentials/verify', { credential: token }, gateway);
    expect(data).toEqual({ refused: 'expired' });
  });

  it('is valid on every replica, and before and after the first secret is set', async () => {
    const earlier = await identity.aPerson();
    const env = { LOGIN_TOKEN_SECRETS: ` ${secret} `, LOGIN_TOKEN_SECONDS: '60' };
    const replica = await startIdentity({ replicaOf: identity, env });
    try {
      expect(await replica.verify(earlier.token)).toMatchObject({ id: earlier.id });
      const { email, password } = earlier;
      const { data } = await replica.people.post('/auth/login', { email, password });
      const { token } = data as { readonly token: string };
      expect(await replica.verify(token)).toMatchObject({ id: earlier.id });
      expect(await identity.verify(token)).toBeNull();
    } finally {
      await replica.stop();
    }
  });

  it('opens no route of the platform API in the service', async () => {
    const { id } = await identity.aPerson();
    const by = { type: 'account', id, scopes: [] } as const;
    const responses = [
      await identity.get('/auth/me', by),
      await identity.get('/auth/api-keys', by),
      await identity.post('/auth/api-keys', { name: 'mine', scopes: ['read'] }, by),
      await identity.post('/users', { externalUserId: 'mine' }, by),
      await identity.get(`/users/${id}`, by),
      await identity.patch(`/users/${id}`, { status: 'ACTIVE' }, by),
    ];
    for (const { status, code } of responses) expect([status, code]).toEqual([401, 'UNAUTHORIZED']);
    const internal = await identity.post('/internal/credentials/verify', { credential: 'a.b.c' }, by);
    expect([internal.status, internal.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});

function parts(token: string): readonly [object, object] {
  const [header = '', claims = ''] = token.split('.');
  return [decoded(header), decoded(claims)];
}

function decoded(text: string): object {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The keys of the service. */
function derived(purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', identity.database.internalSecret, 'holdfast', purpose, 32));
}

function signed(header: object, claims: object, key: Buffer, digest = 'sha256'): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`;
}
