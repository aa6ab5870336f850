import { custodyUnknownOutflowFound, emergencyStopId, type Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;
const system = { type: 'system', id: 'emergency', scopes: [] } as const;
const path = '/internal/emergency-stop';

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const set = (isStopped: boolean, reason = 'a key has leaked') => identity.post(path, { isStopped, by: 'Ada', reason }, system);

describe('the emergency stop', () => {
  it('200 is off at first, and each change is stored, published and audited once', async () => {
    expect((await identity.get(path, system)).data).toEqual({
      isStopped: false,
      isStoppedBySetting: false,
      changedAt: null,
      changedBy: null,
      reason: null,
    });
    const stopped = await set(true);
    expect(stopped).toMatchObject({ status: 200, data: { isStopped: true, changedBy: 'Ada', reason: 'a key has leaked' } });
    expect((await set(true, 'once more')).data).toEqual(stopped.data);
    expect((await set(false, 'the key is replaced')).data).toMatchObject({ isStopped: false, reason: 'the key is replaced' });
    const messages = await identity.messagesOf(emergencyStopId, 2);
    expect(messages.map(({ aggregateVersion, payload }) => ({ aggregateVersion, payload }))).toEqual([
      { aggregateVersion: 1, payload: { isStopped: true } },
      { aggregateVersion: 2, payload: { isStopped: false } },
    ]);
    const audits = await identity.auditsOf(emergencyStopId, 2);
    expect(audits.map(({ payload }) => payload)).toMatchObject([
      { action: 'EMERGENCY_STOPPED', actorType: 'operator', actorId: 'Ada', reason: 'a key has leaked' },
      { action: 'EMERGENCY_RESUMED', actorId: 'Ada', reason: 'the key is replaced', before: { isStopped: true } },
    ]);
  });

  it('200 changes once for concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => set(true)));
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await identity.messagesOf(emergencyStopId, 3)).map(({ aggregateVersion }) => aggregateVersion)).toEqual([1, 2, 3]);
  });

  it('is turned on by tokens that left the treasury, once for each message', async () => {
    await set(false, 'begin');
    const isStopped = async () => (await identity.get(path, system)).data.isStopped as boolean;
    const harmless = outflow('evt_outflow1', false);
    const theft = outflow('evt_outflow2', true);
    await identity.broker.publish([harmless, theft]);
    await eventually(async () => expect(await isStopped()).toBe(true));
    expect((await identity.get(path, system)).data).toMatchObject({
      changedBy: 'escrow-adapter',
      reason: '12.50 USDC left the treasury without a transaction of the platform: abc-1',
    });
    await set(false, 'a person knows better');
    const next = outflow('evt_outflow3', false);
    await identity.broker.publish([theft, next]);
    await eventually(async () =>
      expect(await identity.database.asAdmin(`select from broker.deliveries where queue = 'identity'`)).toHaveLength(0),
    );
    expect(await isStopped()).toBe(false);
  });

  it.each([
    ['without a reason', { isStopped: true, by: 'Ada' }],
    ['without a name', { isStopped: true, by: ' ', reason: 'x' }],
    ['with a text for isStopped', { isStopped: 'true', by: 'Ada', reason: 'x' }],
  ])('400 VALIDATION_ERROR %s', async (_, body) => {
    expect(await identity.post(path, body, system)).toMatchObject({ status: 400 });
  });

  it('403 INSUFFICIENT_SCOPE for a caller from outside', async () => {
    expect((await identity.get(path, { type: 'api_key', id: 'key_1', scopes: ['read', 'write', 'support'] })).status).toBe(403);
  });
});

describe('POST /operations/emergency-stop', () => {
  const change = (isStopped: boolean, by = {}) =>
    identity.post('/operations/emergency-stop', { isStopped, by: 'Grace', reason: 'ticket 7' }, by);

  it('200 stops and resumes for the master key, with the person in the audit trail', async () => {
    await set(false, 'begin');
    expect(await change(true)).toMatchObject({ status: 200, data: { isStopped: true, changedBy: 'Grace', reason: 'ticket 7' } });
    expect(await change(false)).toMatchObject({ status: 200, data: { isStopped: false } });
  });

  it('403 INSUFFICIENT_SCOPE for any other credential, 400 VALIDATION_ERROR without a person', async () => {
    const key = { type: 'api_key', id: 'key_1', scopes: ['read', 'write', 'support'] } as const;
    expect(await change(true, key)).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE' });
    expect((await identity.post('/operations/emergency-stop', { isStopped: true, reason: 'x' })).status).toBe(400);
    expect((await identity.get(path, system)).data.isStopped).toBe(false);
  });

  it('409 INVALID_STATE for the resume of a restored installation, which a person must accept first', async () => {
    await set(false, 'begin');
    await identity.post(path, { isStopped: true, by: 'restore', reason: 'restored from a backup' }, system);
    expect(await change(false)).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    expect((await identity.get(path, system)).data.isStopped).toBe(true);
    expect((await change(true)).status).toBe(200);
    await set(false, 'the restore was accepted');
  });
});

function outflow(id: Envelope['id'], stopsPayouts: boolean): Envelope {
  const { type, version, aggregateType } = custodyUnknownOutflowFound;
  const payload = {
    sourceId: 'abc-1',
    place: 'treasury',
    userId: null,
    amount: '12.50',
    currency: 'USDC',
    to: 'GB',
    memoHash: null,
    stopsPayouts,
  };
  const about = { aggregateType, aggregateId: 'abc-1', aggregateVersion: 1, marketplaceId: 'mkt_default' } as const;
  return { id, type, version, ...about, occurredAt: identity.clock.now(), correlationId: 'test', payload };
}
