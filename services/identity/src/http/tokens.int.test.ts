import { createHmac, hkdfSync } from 'node:crypto';
import { toInstant } from '@holdfast/kernel/context';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

async function aToken(body: object = {}, key: object = {}) {
  const made = await identity.aKey(key);
  const { data } = await identity.post(`/auth/api-keys/${made.id}/token`, body);
  return { ...made, token: data.token as string };
}

describe('POST /auth/api-keys/{id}/token', () => {
  it('201 issues a token with the scopes of the key and a lifetime of fifteen minutes', async () => {
    const { id, marketplaceId } = await identity.aKey({ scopes: ['read', 'support'] });
    const { status, data } = await identity.post(`/auth/api-keys/${id}/token`, {});
    expect(status).toBe(201);
    expect(data).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      tokenType: 'Bearer',
      expiresIn: 900,
      expiresAt: expect.stringMatching(/\.000000Z$/) as string,
      scopes: ['read', 'support'],
    });
    const { token, expiresAt } = data as { readonly token: string; readonly expiresAt: string };
    expect(await identity.verify(token)).toEqual({ type: 'token', id, marketplaceId, scopes: ['read', 'support'], expiresAt });
  });

  it('201 for the key itself, with fewer scopes and another lifetime', async () => {
    const { id, marketplaceId } = await identity.aKey({ scopes: ['read', 'write'] });
    const by = { type: 'api_key', id, marketplaceId, scopes: ['read', 'write'] } as const;
    const { data } = await identity.post(`/auth/api-keys/${id}/token`, { scopes: ['read'], ttl_seconds: 60 }, by);
    expect(data).toMatchObject({ scopes: ['read'], expiresIn: 60 });
    expect(await identity.verify(data.token as string)).toMatchObject({ scopes: ['read'] });
    identity.moveClock(61_000);
    expect(await identity.verify(data.token as string)).toBeNull();
  });

  it.each([{ scopes: ['write'] }, { scopes: ['*'] }, { scopes: ['read', 'support'] }])(
    '403 INSUFFICIENT_SCOPE for %j, which the key does not have',
    async (body) => {
      const { id } = await identity.aKey({ scopes: ['read'] });
      const response = await identity.post(`/auth/api-keys/${id}/token`, body);
      expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    },
  );

  it.each([{ ttlSeconds: 59 }, { ttlSeconds: 3_601 }, { ttlSeconds: '900' }, { scopes: [] }, { scopes: ['admin'] }, { ttl: 60 }])(
    '400 VALIDATION_ERROR for %j',
    async (body) => {
      const { id } = await identity.aKey();
      const response = await identity.post(`/auth/api-keys/${id}/token`, body);
      expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('409 INVALID_STATE for a revoked key', async () => {
    const { id } = await identity.aKey();
    await identity.delete(`/auth/api-keys/${id}`);
    const response = await identity.post(`/auth/api-keys/${id}/token`, {});
    expect([response.status, response.code, response.details['currentStatus']]).toEqual([409, 'INVALID_STATE', 'REVOKED']);
  });

  it('201 expires no later than the key and the secret of the request', async () => {
    const end = toInstant(Math.ceil(identity.clock.epochMs() / 1_000) * 1_000 + 100_000);
    const { id, marketplaceId } = await identity.aKey({ expiresAt: end });
    const lasting = await identity.aKey();
    const by = { type: 'api_key', id: lasting.id, marketplaceId, expiresAt: end } as const;
    const responses = [
      await identity.post(`/auth/api-keys/${id}/token`, {}),
      await identity.post(`/auth/api-keys/${lasting.id}/token`, {}, by),
    ];
    expect(responses.map(({ data }) => data.expiresAt as string)).toEqual([end, end]);
    for (const { data } of responses) expect(data.expiresIn).toBeLessThanOrEqual(101);
  });
});

describe('a token', () => {
  it('is invalid once its key is revoked', async () => {
    const { id, token } = await aToken();
    await identity.delete(`/auth/api-keys/${id}`);
    expect(await identity.verify(token)).toBeNull();
  });

  it('is valid as long as the secret it was issued with, overlap included', async () => {
    const [rotated, overlapping] = [await aToken(), await aToken()];
    await identity.post(`/auth/api-keys/${rotated.id}/rotate`, {});
    const { data } = await identity.post(`/auth/api-keys/${overlapping.id}/rotate`, { overlapSeconds: 100 });
    expect(await identity.verify(rotated.token)).toBeNull();
    expect(await identity.verify(overlapping.token)).toMatchObject({ expiresAt: data.previousKeyValidUntil as string });
    identity.moveClock(100_000);
    expect(await identity.verify(overlapping.token)).toBeNull();
  });

  it('is invalid when it is altered, signed with another key or with another algorithm', async () => {
    const { token } = await aToken();
    const [header = '', claims = '', signature = ''] = token.split('.');
    const none = encoded({ alg: 'none', typ: 'JWT' });
    const longer = encoded({ ...decoded(claims), exp: 9_999_999_999 });
    const forged = [
      `${none}.${claims}.`,
      `${none}.${claims}.${signature}`,
      `${encoded({ alg: 'NONE' })}.${claims}.`,
      `${header}.${longer}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
      `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${token}.${signature}`,
      `${header}.${claims}.${createHmac('sha256', 'guessed').update(`${header}.${claims}`).digest('base64url')}`,
      ` ${token}`,
      '..',
      '',
      'x'.repeat(4_096),
    ];
    for (const text of forged) expect([text, await identity.verify(text)]).toEqual([text, null]);
    expect(await identity.verify(token)).not.toBeNull();
  });

  it('is invalid when we signed it for another audience', async () => {
    const { token } = await aToken();
    const claims = decoded(token.split('.')[1] ?? '');
    expect(await identity.verify(signed({ alg: 'HS256', typ: 'JWT' }, claims))).not.toBeNull();
    const others = [
      signed({ alg: 'HS256' }, { ...claims, aud: 'holdfast-people' }),
      signed({ alg: 'HS256' }, { ...claims, aud: undefined }),
      signed({ alg: 'HS256' }, { ...claims, iss: 'somebody' }),
      signed({ alg: 'HS256' }, { ...claims, sub: 'usr_1' }),
      signed({ alg: 'HS256' }, { ...claims, sub: 'key_unknown' }),
      signed({ alg: 'HS256' }, { ...claims, scp: ['admin'] }),
      signed({ alg: 'HS256' }, { ...claims, num: undefined }),
      signed({ alg: 'HS256' }, { ...claims, num: 2 }),
      signed({ alg: 'HS256' }, { ...claims, exp: undefined }),
      signed({ alg: 'HS256' }, { ...claims, exp: 1 }),
      signed({ alg: 'HS384' }, claims, 'sha384'),
      signed({ alg: 'HS256', crit: ['exp'] }, { ...claims, nbf: 9_999_999_999 }),
    ];
    for (const text of others) expect([text, await identity.verify(text)]).toEqual([text, null]);
  });

  it('has only scopes that its key has', async () => {
    const { token } = await aToken({}, { scopes: ['read'] });
    const claims = { ...decoded(token.split('.')[1] ?? ''), scp: ['read', 'write', 'support'] };
    expect(await identity.verify(signed({ alg: 'HS256' }, claims))).toMatchObject({ scopes: ['read'] });
  });
});

describe('GET /auth/me', () => {
  it('200 for the master key', async () => {
    const { data } = await identity.get('/auth/me');
    expect(data).toEqual({
      type: 'master',
      apiKeyId: null,
      apiKeyName: null,
      scopes: ['read', 'write', 'support'],
      marketplaceId: 'mkt_default',
      marketplaceName: expect.any(String),
      expiresAt: null,
    });
  });

  it('200 for a key and for a token, each with its own expiry', async () => {
    const end = toInstant(identity.clock.epochMs() + 10_000_000);
    const { id, marketplaceId, token } = await aToken({}, { name: 'mine', expiresAt: end, scopes: ['read'] });
    const key = { type: 'api_key', id, marketplaceId, scopes: ['read'] } as const;
    const { expiresAt } = (await identity.verify(token)) ?? {};
    const responses = [
      await identity.get('/auth/me', key),
      await identity.get('/auth/me', { ...key, type: 'token', expiresAt: expiresAt as `${string}Z` }),
    ];
    const marketplaceName = expect.any(String) as unknown;
    const common = { apiKeyId: id, apiKeyName: 'mine', scopes: ['read'], marketplaceId, marketplaceName };
    expect(responses.map(({ data }) => data as object)).toEqual([
      { ...common, type: 'api_key', expiresAt: end },
      { ...common, type: 'token', expiresAt },
    ]);
    expect(expiresAt).not.toBe(end);
  });
});

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(text: string): object {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
}

/** Signs with the same derived key as the service. */
function signed(header: object, claims: object, digest = 'sha256'): string {
  const key = Buffer.from(hkdfSync('sha256', identity.database.internalSecret, 'holdfast', 'identity access tokens', 32));
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`;
}
