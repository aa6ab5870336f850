import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
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
