import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { TestCaller } from '@holdfast/testing/services';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

const daySeconds = 86_400;

let identity: RunningIdentity;
beforeAll(async () => {
  identity = await startIdentity({ env: { SETTLEMENT_TIMEOUT_MS: '100' } });
});
afterAll(() => identity.stop());

/** The key of a marketplace whose clock was never advanced. */
async function aCaller(): Promise<TestCaller & { readonly marketplaceId: MarketplaceId }> {
  return { type: 'api_key', id: 'key_1', marketplaceId: await identity.aMarketplace(), scopes: ['write'] };
}

const advance = (by: unknown, caller: TestCaller) => identity.post('/test-clock/advance', { by }, caller);
const offsetOf = async (caller: TestCaller) => (await identity.get('/test-clock', caller)).data.offsetSeconds as number;

describe('GET /test-clock', () => {
  it('200 is the real time for a marketplace whose clock was never advanced', async () => {
    const { status, data } = await identity.get('/test-clock', await aCaller());
    expect([status, data]).toEqual([200, { now: expect.any(String) as string, offsetSeconds: 0 }]);
    expect(Math.abs(Date.parse(data.now as string) - identity.clock.epochMs())).toBeLessThan(5_000);
  });
});

describe('POST /test-clock/advance', () => {
  it('200 advances the clock of the marketplace, and of no other one', async () => {
    const [one, other] = [await aCaller(), await aCaller()];
    const { status, data } = await advance('P14D', one);
    expect([status, data.offsetSeconds]).toEqual([200, 14 * daySeconds]);
    const aheadMs = Date.parse(data.now as string) - identity.clock.epochMs();
    expect(Math.round(aheadMs / 1_000 / daySeconds)).toBe(14);
    expect(await offsetOf(other)).toBe(0);
  });

  it('200 adds to what was advanced before, and publishes and records each advance', async () => {
    const caller = await aCaller();
    await advance('PT1S', caller);
    await advance('P1W', caller);
    expect(await offsetOf(caller)).toBe(7 * daySeconds + 1);
    const messages = await identity.messagesOf(caller.marketplaceId, 2);
    expect(messages.map(({ type, payload }) => [type, payload])).toEqual([
      ['test_clock.advanced', { marketplaceId: caller.marketplaceId, offsetSeconds: 1 }],
      ['test_clock.advanced', { marketplaceId: caller.marketplaceId, offsetSeconds: 7 * daySeconds + 1 }],
    ]);
    const audits = await identity.auditsOf(caller.marketplaceId, 2);
    expect(audits.map(({ payload }) => [payload.action, payload.actorId, payload.after])).toContainEqual([
      'TEST_CLOCK_ADVANCED',
      'key_1',
      { offsetSeconds: 1 },
    ]);
  });

  it('200 counts every one of parallel advances', async () => {
    const caller = await aCaller();
    const responses = await Promise.all(Array.from({ length: 6 }, () => advance('P1D', caller)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await offsetOf(caller)).toBe(6 * daySeconds);
  });

  it('200 advances once for the same operation id, also if the first response was lost', async () => {
    const caller = await aCaller();
    const repeats = Array.from({ length: 3 }, () =>
      identity.post('/test-clock/advance', { by: 'P2D' }, { ...caller, operationId: `op_${caller.marketplaceId}` }),
    );
    expect((await Promise.all(repeats)).map(({ data }) => data.offsetSeconds as number)).toEqual(Array(3).fill(2 * daySeconds));
    expect(await identity.messagesOf(caller.marketplaceId, 1)).toHaveLength(1);
  });

  it.each([
    'PT0S',
    'P0D',
    '-P1D',
    'P-1D',
    'P1Y',
    'P1M',
    '14',
    '',
    'P99999999999999999W',
    'PT0.5S',
    14,
    null,
    `P${'0'.repeat(300)}1D`,
  ])('400 VALIDATION_ERROR for %p, and nothing changes', async (by) => {
    const caller = await aCaller();
    const { status, code } = await advance(by, caller);
    expect([status, code, await offsetOf(caller)]).toEqual([400, 'VALIDATION_ERROR', 0]);
  });

  it('400 VALIDATION_ERROR for an unknown field', async () => {
    const { status, code } = await identity.post('/test-clock/advance', { by: 'P1D', to: 'x' }, await aCaller());
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('422 LIMIT_EXCEEDED beyond 366 days in all, also of parallel advances, and nothing changes', async () => {
    const caller = await aCaller();
    const refused = await advance('P366DT1S', caller);
    expect([refused.status, refused.code, await offsetOf(caller)]).toEqual([422, 'LIMIT_EXCEEDED', 0]);
    const responses = await Promise.all(Array.from({ length: 3 }, () => advance('P183D', caller)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 422]);
    expect(await offsetOf(caller)).toBe(366 * daySeconds);
  });

  it('504 PROVIDER_TIMEOUT with what remains, and the clock stays advanced', async () => {
    const caller = await aCaller();
    const left = { kind: 'review', id: 'ord_1 draft', dueAt: '2026-02-01T12:00:00.000000Z' };
    identity.testClock.setRemaining([left]);
    const { status, code, details } = await advance('P1D', caller);
    expect([status, code, details['remaining']]).toEqual([504, 'PROVIDER_TIMEOUT', [left]]);
    identity.testClock.setRemaining([]);
    expect(await offsetOf(caller)).toBe(daySeconds);
  });

  it('504 PROVIDER_TIMEOUT while a service has not got the message', async () => {
    identity.testClock.setReached(0);
    const { status, details } = await advance('P1D', await aCaller());
    identity.testClock.setReached(Number.MAX_SAFE_INTEGER);
    expect([status, details['remaining']]).toEqual([504, [{ kind: 'test-clock', id: 'orders', dueAt: null }]]);
  });

  it('404 NOT_FOUND while any provider is real, and nothing changes', async () => {
    const caller = await aCaller();
    for (const kinds of [{ payment: 'live' }, { escrow: 'live' }, { ledger: 'live' }] as const) {
      identity.testClock.setKinds(kinds);
      expect((await advance('P1D', caller)).code).toBe('NOT_FOUND');
      expect((await identity.get('/test-clock', caller)).status).toBe(404);
    }
    identity.testClock.setKinds({});
    expect(await offsetOf(caller)).toBe(0);
  });

  it('404 NOT_FOUND in production, whatever the providers are', async () => {
    const production = await startIdentity({ replicaOf: identity, env: { NODE_ENV: 'production' } });
    const caller = await aCaller();
    const responses = [
      await production.get('/test-clock', caller),
      await production.post('/test-clock/advance', { by: 'P1D' }, caller),
    ];
    await production.stop();
    expect(responses.map(({ status, code }) => [status, code])).toEqual(Array(2).fill([404, 'NOT_FOUND']));
  });
});
