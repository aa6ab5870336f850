import type { Context } from '@holdfast/kernel/context';
import { emergencyStopChanged, emergencyStopId, type Envelope, type Payload } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory } from '@holdfast/kernel/ids';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { createMetrics, type Metrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { manualClock } from '@holdfast/testing/clock';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createEmergencyStop, emergencyStopped, type EmergencyStop } from './emergency-stop.js';
import { IntentPaused } from '../intent.js';
import { intentsMigrations } from '../migrations.js';

const clock = manualClock();
const newId = idFactory(clock.epochMs);
const ctx = { at: clock.now(), log: silentLog } as unknown as Context;

const { signal } = new AbortController();
let woken: readonly string[] = [];
const wakeReplicas = (jobName: string): void => {
  woken = [...woken, jobName];
};

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'escrow-adapter', migrations: [messagingMigrations, intentsMigrations] });
});
beforeEach(() => server.asAdmin('truncate escrow_adapter.emergency_stop'));
afterAll(() => server.drop());

function aReplica(given: { readonly isStoppedBySetting?: boolean; readonly metrics?: Metrics } = {}): EmergencyStop {
  const { isStoppedBySetting = false, metrics = createMetrics({ service: 'test', processMetrics: false }) } = given;
  return createEmergencyStop({ service: 'escrow-adapter', database, metrics, log: silentLog, isStoppedBySetting, wakeReplicas });
}

function aChange(isStopped: boolean, aggregateVersion: number): Envelope<Payload<typeof emergencyStopChanged>> {
  const { type, version, aggregateType } = emergencyStopChanged;
  const about = { aggregateType, aggregateId: emergencyStopId, aggregateVersion, marketplaceId: defaultMarketplaceId };
  return { id: newId('evt'), type, version, occurredAt: clock.now(), ...about, correlationId: 'test', payload: { isStopped } };
}

describe('the emergency stop', () => {
  it('is off until a person turns it on', async () => {
    const replica = aReplica();
    expect(await replica.isStopped()).toBe(false);
    await replica.assertNotStopped();
    await replica.requireNotStopped();
  });

  it('is on in every replica once one has consumed the message, and off again after a resume', async () => {
    const [consuming, other] = [aReplica(), aReplica()];
    expect(await other.isStopped()).toBe(false);
    await consuming.handleChanged(aChange(true, 1), ctx);
    await expect(consuming.assertNotStopped()).rejects.toThrow(IntentPaused);
    await expect(consuming.requireNotStopped()).rejects.toMatchObject({ code: 'PLATFORM_STOPPED' });
    await eventually(() => expect(other.assertNotStopped()).rejects.toThrow(IntentPaused));
    await consuming.handleChanged(aChange(false, 2), ctx);
    await consuming.assertNotStopped();
    await eventually(() => other.assertNotStopped());
  });

  it('is read once for all intents that ask at the same time', async () => {
    const replica = aReplica();
    const query = jest.spyOn(database.pool, 'query');
    await Promise.all(Array.from({ length: 20 }, () => replica.assertNotStopped()));
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  });

  it('ignores an older change that arrives late, and a change that is delivered twice', async () => {
    const replica = aReplica();
    const stop = aChange(true, 3);
    await replica.handleChanged(stop, ctx);
    await replica.handleChanged(aChange(false, 2), ctx);
    await replica.handleChanged(stop, ctx);
    expect(await replica.isStopped()).toBe(true);
  });

  it('survives a restart', async () => {
    await aReplica().handleChanged(aChange(true, 1), ctx);
    expect(await aReplica().isStopped()).toBe(true);
  });

  it('by the setting holds whatever is stored', async () => {
    const replica = aReplica({ isStoppedBySetting: true });
    await replica.handleChanged(aChange(false, 1), ctx);
    await expect(replica.assertNotStopped()).rejects.toMatchObject({ reason: 'the emergency stop is on' });
  });

  it('is shown by a gauge, also in a process that signs nothing', async () => {
    const metrics = createMetrics({ service: 'test', processMetrics: false });
    const replica = aReplica({ metrics });
    woken = [];
    const shown = async () => (await metrics.gauge(emergencyStopped).get()).values[0]?.value;
    await replica.handleChanged(aChange(true, 1), ctx);
    expect(woken).toEqual([replica.job.name]);
    await replica.job.run(signal);
    expect(await shown()).toBe(1);
    await replica.handleChanged(aChange(false, 2), ctx);
    await replica.job.run(signal);
    expect(await shown()).toBe(0);
  });
});
