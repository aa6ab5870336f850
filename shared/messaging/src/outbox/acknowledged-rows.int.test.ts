import { emergencyStopChanged, messagesAcknowledged } from '@holdfast/contracts/messages';
import { systemClock, type Context } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type MessageId } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import type { JobRunner } from '@holdfast/work';
import { toEnvelope } from '../broker/index.js';
import {
  acknowledgementConsumers,
  createOutbox,
  createRelay,
  messagingMigrations,
  type Relay,
  type RelayLimits,
} from './index.js';
import { memoryBroker, type MemoryBroker } from './testing/memory-broker.js';
import { aNotice, noticePosted } from './testing/notices.js';

const daySeconds = 86_400;
const dayMs = daySeconds * 1_000;
const clock = systemClock();
const newId = idFactory(clock.epochMs);
const quick: Partial<RelayLimits> = { sweepEveryMs: 20, deleteEveryMs: 10 };
const stop = {
  aggregateId: 'platform',
  aggregateVersion: 1,
  marketplaceId: defaultMarketplaceId,
  correlationId: 'req-1',
  payload: { isStopped: true },
};

let server: TestDatabase;
let database: Database;
let broker: MemoryBroker;
const relays: Relay[] = [];
const sweepers: JobRunner[] = [];

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'identity', migrations: [messagingMigrations] });
}, serverStartTimeoutMs);

beforeEach(async () => {
  await database.pool.query('delete from outbox');
  broker = memoryBroker();
});

afterEach(async () => {
  await Promise.all(sweepers.splice(0).map((sweeper) => sweeper.stop()));
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
});

afterAll(async () => {
  await server.drop();
});

function aRelay(limits: Partial<RelayLimits> = {}): Relay {
  const relay = createRelay({ database, broker, log: silentLog, limits: { ...quick, ...limits } });
  relays.push(relay);
  return relay;
}

function sweep({ job }: Relay): void {
  sweepers.push(runJobs(job));
}

/** Publishes from a process that is killed right after its commit, so that its relay publishes nothing. */
async function commitAndDie(count: number, limits: Partial<RelayLimits> = {}): Promise<readonly MessageId[]> {
  const outbox = createOutbox({ relay: { handOver: () => undefined, limits: aRelay(limits).limits }, clock, newId });
  return database.inTransaction(async (tx) => Array.from({ length: count }, () => outbox.add(tx, emergencyStopChanged, stop).id));
}

async function acknowledge(by: 'orders' | 'escrow-adapter' | 'payments', messageIds: MessageId[]): Promise<void> {
  const about = { ...stop, payload: { by, messageIds } };
  const message = toEnvelope({ clock, newId }, messagesAcknowledged, about);
  for (const consumer of acknowledgementConsumers('identity', database)) await consumer.run(message, {} as Context);
}

async function read<Row>(sql: string): Promise<readonly Row[]> {
  return (await database.pool.query(sql)).rows as readonly Row[];
}

const publishedIds = (): readonly string[] => broker.published.map(({ id }) => id).sort();

describe('the row of a message that is acknowledged', () => {
  it('is its own, beside the one of the other messages of the commit, and all are published at once', async () => {
    const relay = aRelay();
    const outbox = createOutbox({ relay, clock, newId });
    await database.inTransaction(async (tx) => {
      outbox.add(tx, noticePosted, aNotice('one'));
      outbox.add(tx, emergencyStopChanged, stop);
      outbox.add(tx, noticePosted, aNotice('two'));
    });
    await eventually(() => expect(broker.published).toHaveLength(3));
    const left = () => read('select jsonb_array_length(messages::jsonb) as messages, awaits, attempts from outbox');
    const awaits = ['orders', 'escrow-adapter', 'payments'];
    await eventually(async () => expect(await left()).toEqual([{ messages: 1, awaits, attempts: 0 }]));
    expect(relay.counters()).toMatchObject({ handedOver: 3, published: 3, inMemory: 0 });
  });

  it('is published by another replica when its process was killed between commit and publication, and stays', async () => {
    const ids = await commitAndDie(3, { resendAfterMs: 1 });
    sweep(aRelay());
    await eventually(() => expect(publishedIds()).toEqual([...ids].sort()));
    expect(await read('select 1 from outbox')).toHaveLength(3);
  });

  it('is sent by one of two sweepers at a time', async () => {
    const ids = await commitAndDie(300, { resendAfterMs: 1 });
    const limits = { sweepRowsMax: 7, resendAfterMs: dayMs, resendAfterMsMax: dayMs };
    [aRelay(limits), aRelay(limits)].forEach(sweep);
    await eventually(() => expect(publishedIds()).toHaveLength(300));
    expect(publishedIds()).toEqual([...ids].sort());
    expect(await read('select distinct attempts from outbox')).toEqual([{ attempts: 1 }]);
  });

  it('is due again after delays that double up to a limit', async () => {
    await commitAndDie(1, { resendAfterMs: 1 });
    sweep(aRelay({ resendAfterMs: dayMs, resendAfterMsMax: 5 * dayMs }));
    for (const [attempts, days] of [2, 4, 5, 5].entries()) {
      await eventually(async () => {
        const seconds = 'extract(epoch from available_at - now())::float8 as seconds';
        const [row] = await read<{ attempts: number; seconds: number }>(`select attempts, ${seconds} from outbox`);
        expect(row?.attempts).toBe(attempts + 1);
        expect(Math.ceil((row?.seconds ?? 0) / daySeconds)).toBe(days);
      });
      await database.pool.query('update outbox set available_at = now()');
    }
  });

  it('is due again also after more attempts than a number can double', async () => {
    await commitAndDie(1, { resendAfterMs: 1 });
    await database.pool.query('update outbox set attempts = 100000');
    sweep(aRelay({ resendAfterMs: dayMs, resendAfterMsMax: dayMs }));
    await eventually(async () => expect(await read('select attempts from outbox')).toEqual([{ attempts: 100_001 }]));
    expect(broker.published).toHaveLength(1);
  });

  it('is retried by its own process while the broker is unavailable', async () => {
    const outbox = createOutbox({ relay: aRelay({ resendAfterMs: dayMs, sweepAfterMs: 1 }), clock, newId });
    broker.disconnect();
    await database.inTransaction(async (tx) => outbox.add(tx, emergencyStopChanged, stop));
    await eventually(() => expect(relays.at(-1)?.counters().failures).toBeGreaterThan(1));
    broker.reconnect();
    await eventually(() => expect(broker.published).toHaveLength(1));
  });

  it('is deleted by the last acknowledgement, also when all arrive at the same time', async () => {
    const ids = [...(await commitAndDie(200, { resendAfterMs: dayMs }))];
    await acknowledge('orders', ids);
    await acknowledge('payments', ids.slice(0, 10));
    const awaits = ['escrow-adapter'];
    expect(await read(`select awaits from outbox where not 'payments' = any(awaits)`)).toEqual(Array(10).fill({ awaits }));
    const reversed = ids.toReversed();
    await Promise.all([acknowledge('payments', ids), acknowledge('escrow-adapter', reversed), acknowledge('payments', reversed)]);
    expect(await read('select 1 from outbox')).toEqual([]);
  });

  it('counts as unacknowledged, not as unpublished', async () => {
    const relay = aRelay();
    await commitAndDie(2, { resendAfterMs: dayMs });
    await database.pool.query(`update outbox set created_at = now() - interval '7 seconds'`);
    const { unacknowledgedSeconds, ...backlog } = await relay.backlog();
    expect(backlog).toEqual({ rows: 0, lagSeconds: 0, unacknowledged: 2, parked: 0 });
    expect(unacknowledgedSeconds).toBeGreaterThanOrEqual(7);
  });
});
