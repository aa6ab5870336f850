import { toInstant } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

const keyPattern = /^hk_live_([0-9A-Z]{26})_[A-Za-z0-9_-]{43}$/;

describe('POST /auth/api-keys', () => {
  it('201 returns the key once, under both names, and it has the requested scopes', async () => {
    const marketplaceId = await identity.aMarketplace();
    const expiresAt = '2100-01-01T02:00:00+02:00';
    const body = { name: 'checkout', scopes: ['write', 'read', 'read'], marketplaceId, expires_at: expiresAt };
    const response = await identity.post('/auth/api-keys', body);
    expect(response.status).toBe(201);
    const { key, id } = response.data as { readonly key: string; readonly id: string };
    expect(response.data).toEqual({
      id: `key_${keyPattern.exec(key)?.[1] ?? ''}`,
      key,
      api_key: key,
      name: 'checkout',
      scopes: ['read', 'write'],
      marketplaceId,
      createdAt: expect.stringMatching(/\.\d{6}Z$/) as string,
      expiresAt: '2100-01-01T00:00:00.000000Z',
    });
    expect(await identity.verify(key)).toEqual({
      type: 'api_key',
      id,
      marketplaceId,
      scopes: ['read', 'write'],
      expiresAt: '2100-01-01T00:00:00.000000Z',
    });
  });

  it('201 expands * to all scopes, and defaults to the marketplace of the caller', async () => {
    const marketplaceId = await identity.aMarketplace();
    const { data } = await identity.post('/auth/api-keys', { name: 'all', scopes: ['*'] }, { marketplaceId });
    expect(data).toMatchObject({ scopes: ['read', 'write', 'support'], marketplaceId, expiresAt: null });
  });

  it('403 INSUFFICIENT_SCOPE for every caller but the master key, with any scopes', async () => {
    for (const type of ['api_key', 'token'] as const) {
      const response = await identity.post('/auth/api-keys', { name: 'x', scopes: ['read'] }, { type, id: 'key_1' });
      expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });

  it('404 MARKETPLACE_NOT_FOUND for an unknown marketplace', async () => {
    const response = await identity.post('/auth/api-keys', { name: 'x', scopes: ['read'], marketplaceId: 'mkt_unknown' });
    expect([response.status, response.code]).toEqual([404, 'MARKETPLACE_NOT_FOUND']);
  });

  it.each([
    ['no name', { scopes: ['read'] }],
    ['an empty name', { name: '', scopes: ['read'] }],
    ['no scopes', { name: 'x' }],
    ['an empty list of scopes', { name: 'x', scopes: [] }],
    ['an unknown scope', { name: 'x', scopes: ['read', 'admin'] }],
    ['scopes that are not a list', { name: 'x', scopes: 'read' }],
    ['a malformed marketplace', { name: 'x', scopes: ['read'], marketplaceId: 'usr_1' }],
    ['an expiresAt in the past', { name: 'x', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' }],
    ['an expiresAt that is not a timestamp', { name: 'x', scopes: ['read'], expiresAt: 'soon' }],
    ['an unknown field', { name: 'x', scopes: ['read'], key: 'hk_live_mine' }],
  ])('400 VALIDATION_ERROR for %s', async (_, body) => {
    const response = await identity.post('/auth/api-keys', body);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.details['validationErrors']).toHaveLength(1);
  });
});

describe('GET /auth/api-keys', () => {
  it('200 lists all keys for the master key, and the keys of their marketplace for other callers', async () => {
    const marketplaceId = await identity.aMarketplace();
    const [own, foreign] = [await identity.aKey({ marketplaceId }), await identity.aKey()];
    const support = { type: 'api_key', id: own.id, marketplaceId, scopes: ['support'] } as const;
    const idsFor = async (by: object): Promise<string[]> =>
      ((await identity.get('/auth/api-keys?limit=100', by)).data.data as { id: string }[]).map(({ id }) => id);
    expect(await idsFor(support)).toEqual([own.id]);
    expect(await idsFor({ ...support, type: 'token' })).toEqual([own.id]);
    expect((await idsFor({ marketplaceId })).slice(0, 2)).toEqual([foreign.id, own.id]);
  });

  it('200 has every field except the key itself', async () => {
    const { id, key, api_key, ...facts } = await identity.aKey({ name: 'listed', scopes: ['read'] });
    const [listed] = (await identity.get('/auth/api-keys?limit=1')).data.data as object[];
    expect(listed).toEqual({ id, ...facts, status: 'ACTIVE', lastUsedAt: null });
    expect(key).toBe(api_key);
  });

  it('403 INSUFFICIENT_SCOPE without the scope support', async () => {
    const { id } = await identity.aKey();
    const response = await identity.get('/auth/api-keys', { type: 'api_key', id, scopes: ['read', 'write'] });
    expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it("400 VALIDATION_ERROR for a cursor of another marketplace's list", async () => {
    const [marketplaceId, { id }] = [await identity.aMarketplace(), await identity.aKey()];
    const support = { type: 'api_key', id: 'key_1', marketplaceId, scopes: ['support'] } as const;
    const response = await identity.get(`/auth/api-keys?cursor=${id}`, support);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await identity.get(`/auth/api-keys?cursor=${id}&limit=1`)).status).toBe(200);
  });

  it('200 shows the last use of a key within a few seconds', async () => {
    const { id, key } = await identity.aKey();
    await identity.verify(key);
    await eventually(async () => {
      const [listed] = (await identity.get('/auth/api-keys?limit=1')).data.data as { id: string; lastUsedAt: string | null }[];
      expect(listed).toMatchObject({ id, lastUsedAt: expect.stringMatching(/Z$/) as string });
    });
  });
});

describe('DELETE /auth/api-keys/{id}', () => {
  it('200 revokes the key, publishes api_key.revoked and notifies every process', async () => {
    const notifications: object[] = [];
    const stopListening = identity.broker.onNotification(
      ['credentials'],
      (notification) => void notifications.push(notification),
    );
    const { id, key } = await identity.aKey();
    const response = await identity.delete(`/auth/api-keys/${id}`);
    stopListening();
    expect([response.status, response.data]).toMatchObject([200, { id, status: 'REVOKED' }]);
    expect(await identity.verify(key)).toBeNull();
    expect(notifications).toEqual([{ topic: 'credentials', key: id }]);
    expect(await identity.messagesOf(id, 1)).toMatchObject([
      { type: 'api_key.revoked', aggregateType: 'ApiKey', aggregateVersion: 2, payload: { apiKeyId: id } },
    ]);
  });

  it('200 for a key that is revoked already, without another message', async () => {
    const { id } = await identity.aKey();
    const responses = [await identity.delete(`/auth/api-keys/${id}`), await identity.delete(`/auth/api-keys/${id}`)];
    expect(responses.map(({ status, data }) => [status, data.status as string])).toEqual([
      [200, 'REVOKED'],
      [200, 'REVOKED'],
    ]);
    expect(await identity.messagesOf(id, 1)).toHaveLength(1);
  });

  it('200 for the key itself, with any scopes', async () => {
    const { id, marketplaceId } = await identity.aKey({ scopes: ['read'] });
    const response = await identity.delete(`/auth/api-keys/${id}`, { type: 'api_key', id, marketplaceId, scopes: ['read'] });
    expect([response.status, response.data.status]).toEqual([200, 'REVOKED']);
  });
});

describe('every route that changes a key', () => {
  const requested = (id: string) =>
    [
      (by: object) => identity.delete(`/auth/api-keys/${id}`, by),
      (by: object) => identity.post(`/auth/api-keys/${id}/rotate`, {}, by),
      (by: object) => identity.post(`/auth/api-keys/${id}/token`, {}, by),
    ] as const;

  it('404 API_KEY_NOT_FOUND for another key of any marketplace, with any scopes', async () => {
    const [one, other] = [await identity.aKey(), await identity.aKey({ marketplaceId: await identity.aMarketplace() })];
    for (const caller of [one, other]) {
      const by = { type: 'api_key', id: caller.id, marketplaceId: caller.marketplaceId } as const;
      for (const request of requested((caller === one ? other : one).id)) {
        const response = await request(by);
        expect([response.status, response.code]).toEqual([404, 'API_KEY_NOT_FOUND']);
      }
    }
    expect(await identity.verify(one.key)).not.toBeNull();
  });

  it.each(['key_unknown', 'usr_1', 'key_', 'key_a%2Fb'])('404 API_KEY_NOT_FOUND for %s', async (id) => {
    for (const request of requested(id)) {
      const response = await request({});
      expect([response.status, response.code]).toEqual([404, 'API_KEY_NOT_FOUND']);
    }
  });

  it('403 INSUFFICIENT_SCOPE for a token of the key', async () => {
    const { id, key, marketplaceId } = await identity.aKey();
    for (const request of requested(id)) {
      const response = await request({ type: 'token', id, marketplaceId });
      expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
    expect(await identity.verify(key)).not.toBeNull();
  });
});

describe('POST /auth/api-keys/{id}/rotate', () => {
  it('200 returns a new secret, and the previous one is invalid', async () => {
    const { key, api_key, ...facts } = await identity.aKey();
    const response = await identity.post(`/auth/api-keys/${facts.id}/rotate`, {});
    expect(response.status).toBe(200);
    const text = response.data.key as string;
    expect(response.data).toEqual({ ...facts, key: text, api_key: text, previousKeyValidUntil: null });
    expect(text).toMatch(keyPattern);
    expect([await identity.verify(key), await identity.verify(api_key)]).toEqual([null, null]);
    expect(await identity.verify(text)).toMatchObject({ id: facts.id });
  });

  it('200 leaves the previous secret valid for the overlap, and returns its expiry', async () => {
    const { id, key } = await identity.aKey();
    const { data } = await identity.post(`/auth/api-keys/${id}/rotate`, { overlapSeconds: 3_600 });
    expect(await identity.verify(key)).toMatchObject({ id, expiresAt: data.previousKeyValidUntil as string });
    expect(await identity.verify(data.key as string)).toMatchObject({ id, expiresAt: null });
    identity.moveClock(3_600_000);
    expect(await identity.verify(key)).toBeNull();
    expect(await identity.verify(data.key as string)).toMatchObject({ id });
  });

  it('200 ends older secrets than the previous one, even within their overlap', async () => {
    const { id, key } = await identity.aKey();
    const second = (await identity.post(`/auth/api-keys/${id}/rotate`, { overlapSeconds: 60 })).data.key as string;
    await identity.post(`/auth/api-keys/${id}/rotate`, { overlapSeconds: 60 });
    expect(await identity.verify(key)).toBeNull();
    expect(await identity.verify(second)).not.toBeNull();
  });

  it('200 publishes api_key.rotated with the expiry of the previous secret', async () => {
    const notifications: object[] = [];
    const stopListening = identity.broker.onNotification(
      ['credentials'],
      (notification) => void notifications.push(notification),
    );
    const { id } = await identity.aKey();
    const { data } = await identity.post(`/auth/api-keys/${id}/rotate`, { overlap_seconds: 60 });
    stopListening();
    expect(notifications).toEqual([{ topic: 'credentials', key: id }]);
    expect(await identity.messagesOf(id, 1)).toMatchObject([
      { type: 'api_key.rotated', payload: { apiKeyId: id, previousKeyValidUntil: data.previousKeyValidUntil as string } },
    ]);
  });

  it('403 INSUFFICIENT_SCOPE for a previous secret within its overlap', async () => {
    const { id, key, marketplaceId } = await identity.aKey();
    await identity.post(`/auth/api-keys/${id}/rotate`, { overlapSeconds: 60 });
    const { expiresAt } = (await identity.verify(key)) ?? {};
    const by = { type: 'api_key', id, marketplaceId, expiresAt: expiresAt as `${string}Z` } as const;
    const response = await identity.post(`/auth/api-keys/${id}/rotate`, {}, by);
    expect([response.status, response.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it('409 INVALID_STATE for a key that is revoked or has expired', async () => {
    const [revoked, expired] = [await identity.aKey(), await identity.aKey({ expiresAt: soon() })];
    await identity.delete(`/auth/api-keys/${revoked.id}`);
    identity.moveClock(60_000);
    const responses = [
      await identity.post(`/auth/api-keys/${revoked.id}/rotate`, {}),
      await identity.post(`/auth/api-keys/${expired.id}/rotate`, {}),
    ];
    expect(responses.map(({ status, code, details }) => [status, code, details['currentStatus']])).toEqual([
      [409, 'INVALID_STATE', 'REVOKED'],
      [409, 'INVALID_STATE', 'EXPIRED'],
    ]);
    expect(responses[0]?.details['allowedStatuses']).toEqual(['ACTIVE']);
  });

  it.each([
    { overlapSeconds: -1 },
    { overlapSeconds: 86_401 },
    { overlapSeconds: 1.5 },
    { overlapSeconds: '60' },
    { overlap: 1 },
  ])('400 VALIDATION_ERROR for %j', async (body) => {
    const { id } = await identity.aKey();
    const response = await identity.post(`/auth/api-keys/${id}/rotate`, body);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a key that expires', () => {
  it('is valid until expiresAt, and is then listed as EXPIRED', async () => {
    const { id, key, expiresAt } = await identity.aKey({ expiresAt: soon() });
    expect(await identity.verify(key)).toMatchObject({ id, expiresAt });
    identity.moveClock(60_000);
    expect(await identity.verify(key)).toBeNull();
    expect((await identity.get('/auth/api-keys?limit=1')).data.data).toMatchObject([{ id, status: 'EXPIRED' }]);
    expect((await identity.delete(`/auth/api-keys/${id}`)).data).toMatchObject({ status: 'REVOKED' });
  });
});

/** A minute from now by the service's clock, which other tests may have advanced. */
function soon(): string {
  return toInstant(identity.clock.epochMs() + 60_000);
}
