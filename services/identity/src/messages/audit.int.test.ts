import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

const byMaster = { actorType: 'master', actorId: 'master', result: 'SUCCESS', reason: null };

describe('audit.recorded', () => {
  it('is published for every change of a key, without secrets', async () => {
    const marketplaceId = await identity.aMarketplace();
    const { id, key } = await identity.aKey({ name: 'checkout', scopes: ['read'], marketplaceId });
    const rotated = await identity.post(`/auth/api-keys/${id}/rotate`, { overlapSeconds: 60 });
    await identity.delete(`/auth/api-keys/${id}`, { type: 'api_key', id, marketplaceId });
    const published = await identity.auditsOf(id, 3);
    expect(published.map(({ payload }) => payload)).toMatchObject([
      {
        ...byMaster,
        action: 'API_KEY_CREATED',
        resourceType: 'ApiKey',
        before: null,
        after: { name: 'checkout', scopes: ['read'] },
      },
      { ...byMaster, action: 'API_KEY_ROTATED', before: { secretNumber: 1 }, after: { secretNumber: 2 } },
      { action: 'API_KEY_REVOKED', actorType: 'api_key', actorId: id, before: { revokedAt: null } },
    ]);
    expect(new Set(published.map((one) => one.marketplaceId))).toEqual(new Set([marketplaceId]));
    const secrets = [key, rotated.data.key as string].map((text) => text.slice(-43));
    for (const secret of secrets) expect(JSON.stringify(published)).not.toContain(secret);
    expect(JSON.stringify(published)).not.toMatch(/hash/i);
  });

  it('is published for a new marketplace, within the marketplace of the caller', async () => {
    const id = await identity.aMarketplace();
    const [published] = await identity.auditsOf(id, 1);
    expect(published?.payload).toMatchObject({ ...byMaster, action: 'MARKETPLACE_CREATED', after: { name: 'Another one' } });
    expect(published?.marketplaceId).toBe(defaultMarketplaceId);
  });

  it('is published for a new user and for the fields that a patch has changed, with the request id', async () => {
    const { id } = await identity.aUser({ email: 'ada@example.com' });
    await identity.patch(`/users/${id}`, { status: 'SUSPENDED', email: 'ada@example.com' });
    const [created, updated] = await identity.auditsOf(id, 2);
    expect(created?.payload).toMatchObject({ action: 'USER_CREATED', after: { email: 'ada@example.com', status: 'ACTIVE' } });
    const [event] = await identity.messagesOf(id, 1);
    expect([created?.afterEventId, updated?.afterEventId]).toEqual([event?.id, undefined]);
    expect(updated?.payload).toMatchObject({ action: 'USER_UPDATED', resourceType: 'User' });
    expect(updated?.payload.before).toEqual({ status: 'ACTIVE' });
    expect(updated?.payload.after).toEqual({ status: 'SUSPENDED' });
    expect(updated?.correlationId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is published once for a repeated operation, and not for a refused one', async () => {
    const again = { operationId: 'op_audit' };
    const body = { externalUserId: 'audited-once' };
    const [first] = await Promise.all([1, 2, 3].map(() => identity.post('/users', body, again)));
    await identity.post('/users', body);
    await identity.post('/users', { externalUserId: '' });
    const after = await identity.aUser();
    await identity.auditsOf(after.id, 1);
    expect(await identity.auditsOf(first?.data.id as string, 1)).toHaveLength(1);
  });
});

const gateways = ['7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11', '8f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d12'] as const;
const gatewayCaller = { type: 'system', id: 'gateway', scopes: [] } as const;

function report(gatewayId: string, refusals: readonly object[]) {
  return identity.post('/internal/refused-credentials', { gatewayId, refusals }, gatewayCaller);
}

describe('POST /internal/refused-credentials', () => {
  it('200 leads to one audit entry for each address and minute, over all gateways and repeated reports', async () => {
    const minute = `${identity.clock.now().slice(0, 16)}:00.000000Z`;
    const [one, two] = gateways;
    await report(one, [{ address: '10.0.0.1', minute, count: 3 }]);
    await report(one, [{ address: '10.0.0.1', minute, count: 7 }, { address: '10.0.0.2', minute, count: 1 }]); // prettier-ignore
    await report(one, [{ address: '10.0.0.1', minute, count: 7 }]);
    expect((await report(two, [{ address: '10.0.0.1', minute, count: 5 }])).data).toEqual({ noted: 1 });
    identity.moveClock(180_000);
    const [first, ...more] = await identity.auditsOf('10.0.0.1', 1);
    expect(first?.payload).toMatchObject({
      action: 'CREDENTIALS_REFUSED',
      actorType: 'address',
      actorId: '10.0.0.1',
      result: 'FAILURE',
      after: { count: 12, minute },
    });
    expect(more).toEqual([]);
    expect((await identity.auditsOf('10.0.0.2', 1))[0]?.payload.after).toEqual({ count: 1, minute });
  });

  it.each([
    { gatewayId: 'x', refusals: [{ address: 'a', minute: '2026-01-31T12:00:00Z', count: 1 }] },
    { gatewayId: gateways[0], refusals: [] },
    { gatewayId: gateways[0], refusals: [{ address: 'a', minute: '2026-01-31T12:00:00Z', count: 0 }] },
    { gatewayId: gateways[0], refusals: [{ address: '', minute: '2026-01-31T12:00:00Z', count: 1 }] },
    { gatewayId: gateways[0], refusals: [{ address: 'a', minute: 'noon', count: 1 }] },
  ])('400 VALIDATION_ERROR for the report %j', async (body) => {
    const { status, code } = await identity.post('/internal/refused-credentials', body, gatewayCaller);
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
