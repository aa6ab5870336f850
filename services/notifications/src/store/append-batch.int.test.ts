import { systemClock } from '@holdfast/shared/context';
import { escrowCreated, orderEscrowFunding, type Envelope } from '@holdfast/shared/contracts/messages';
import { inboxOf } from '@holdfast/shared/outbox';
import type { Database, Tx } from '@holdfast/shared/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/shared/testing/servers';
import { aCredit, aMessage, anEvent } from '../testing/messages.js';
import { notificationsMigrations } from '../testing/running-notifications.js';
import { noteEvent } from '../use-cases/note-messages.js';
import type { Arrival } from '../use-cases/ports.js';
import { appendBatch, Superseded, type AppendedBatch } from './append-batch.js';
import { createLogMemory } from './log-memory.js';
import { makePartitions } from './partitions.js';
import { sealerWith } from './record-audit.js';

const realClock = systemClock();
let aheadMs = 0;
const clock = { ...realClock, epochMs: () => realClock.epochMs() + aheadMs };
const heldBackMs = 60_000;

let server: TestDatabase;
let database: Database;
/** Statements that were waited for one after the other, the commit aside. */
let asked: number;
let append: (...messages: readonly Envelope[]) => Promise<AppendedBatch>;
let appendArrivals: (...arrivals: readonly Arrival[]) => Promise<AppendedBatch>;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'notifications', migrations: notificationsMigrations, poolMax: 2 });
  await makePartitions(database, clock);
}, serverStartTimeoutMs);
afterAll(() => server.drop());

beforeEach(async () => {
  const rows = await server.asAdmin<{ readonly token: string }>(
    'update notifications.appender set token = token + 1 returning token',
  );
  const counting = (tx: Tx): Tx => ({
    ...tx,
    query: (sql, parameters) => {
      asked += 1;
      return tx.query(sql, parameters);
    },
  });
  const deps = {
    database: { inTransaction: <T>(work: (tx: Tx) => Promise<T>) => database.inTransaction((tx) => work(counting(tx))) },
    inbox: inboxOf('notifications'),
    clock,
    sealer: sealerWith(Buffer.from('key')),
    token: BigInt(rows[0]?.token ?? 0),
    memory: createLogMemory(),
  };
  appendArrivals = (...arrivals) => {
    asked = 0;
    return appendBatch(deps, arrivals);
  };
  append = async (...messages) => appendArrivals(...(await arrivalsOf(messages)));
});

/** As the consumers would make them. */
async function arrivalsOf(messages: readonly Envelope[]): Promise<readonly Arrival[]> {
  const arrivals: Arrival[] = [];
  const keep = (arrival: Arrival): Promise<void> => Promise.resolve(void arrivals.push(arrival));
  for (const message of messages) await noteEvent({ append: keep, clock, heldBackMs }, message);
  return arrivals;
}

function idsOf({ events }: AppendedBatch): readonly unknown[] {
  return events.map(({ envelope }) => (JSON.parse(envelope) as { eventId: unknown }).eventId);
}

async function countOf(table: 'events' | 'inbox'): Promise<number> {
  const [row] = await server.asAdmin<{ readonly count: string }>(`select count(*) as count from notifications.${table}`);
  return Number(row?.count);
}

describe('a batch', () => {
  it('asks the log once, and goes out without a question from then on', async () => {
    const [one, other, next] = [aCredit('usr_warm', 1), aCredit('usr_warm', 2), aCredit('usr_warm', 3)];
    const first = await append(one);
    expect(asked).toBeGreaterThan(0);
    const second = await append(other, next);
    expect(asked).toBe(0);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([one.id, other.id, next.id]);
    expect(second.events.map(({ position }) => position)).toEqual([first.lastPosition + 1n, first.lastPosition + 2n]);
  });

  it('asks for the number of a balance only where it is not the first of all', async () => {
    await append(anEvent());
    await append(aCredit('usr_new', 1));
    expect(asked).toBe(0);
    await server.asAdmin(`insert into notifications.aggregate_heads values ('ledger-balance Balance usr_old USD', 7)`);
    expect(idsOf(await append(aCredit('usr_old', 8)))).toHaveLength(1);
    expect(asked).toBeGreaterThan(0);
  });

  it('keeps the higher number where the first of a balance comes late', async () => {
    await server.asAdmin(`insert into notifications.aggregate_heads values ('ledger-balance Balance usr_late USD', 5)`);
    await append(anEvent());
    await append(aCredit('usr_late', 1));
    expect(idsOf(await append(aCredit('usr_late', 6)))).toHaveLength(1);
  });

  it('holds an event back without a question while the one before it may be on its way, and asks once when it has not come', async () => {
    const escrow = { escrowId: 'esc_1', orderId: 'ord_1', amount: '1.00', providerContractId: 'C1' };
    const cause = aMessage(escrowCreated, { ...escrow, currency: 'USD' });
    const effect = aMessage(orderEscrowFunding, escrow, { causationId: cause.id, afterEventId: cause.id });
    await append(anEvent());
    expect((await append(effect)).doneIds.size).toBe(0);
    expect(asked).toBe(0);
    aheadMs += 1_000;
    expect((await append(effect)).doneIds.size).toBe(0);
    expect(asked).toBeGreaterThan(0);
    expect((await append(effect)).doneIds.size).toBe(0);
    expect(asked).toBe(0);
    expect(idsOf(await append(effect, cause))).toEqual([cause.id, effect.id]);
    expect(asked).toBe(0);
  });

  it('holds an event back for a moment where a number is missing that another replica may have told', async () => {
    const changes = [1, 2, 3, 6].map((aggregateVersion) => anEvent({ aggregateId: 'ord_twice', aggregateVersion }));
    const [first, second, third, afterGap] = await arrivalsOf(changes);
    if (first === undefined || second === undefined || third === undefined || afterGap === undefined)
      throw new Error('four came');
    await appendArrivals(first);
    expect((await appendArrivals(third)).events).toEqual([]);
    expect(idsOf(await appendArrivals(third, second))).toEqual([second.id, third.id]);
    expect((await appendArrivals(afterGap)).events).toEqual([]);
    aheadMs += 1_000;
    expect(idsOf(await appendArrivals(afterGap))).toEqual([afterGap.id]);
  });

  it('finds the one before it in the log where memory has lost it', async () => {
    const before = anEvent();
    const effect = anEvent({ afterEventId: before.id });
    await append(anEvent());
    await server.asAdmin(`insert into notifications.inbox (consumer, message_id) values ('notifications', $1)`, [before.id]);
    expect((await append(effect)).doneIds.size).toBe(0);
    aheadMs += 1_000;
    expect(idsOf(await append(effect))).toEqual([effect.id]);
  });

  it('takes nothing that the inbox has, whether it remembers it or not', async () => {
    const [heard, forgotten, fresh] = [anEvent(), anEvent(), anEvent()];
    await append(heard);
    await server.asAdmin(`insert into notifications.inbox (consumer, message_id) values ('notifications', $1)`, [forgotten.id]);
    const again = await append(heard, forgotten, fresh);
    expect(idsOf(again)).toEqual([fresh.id]);
    expect(again.doneIds).toEqual(new Set([heard.id, forgotten.id, fresh.id]));
  });

  it('goes on after whatever somebody else has put into the log', async () => {
    const { lastPosition } = await append(anEvent());
    await server.asAdmin('update notifications.appender set last_position = last_position + 10');
    const { events } = await append(anEvent());
    expect(events.map(({ position }) => position)).toEqual([lastPosition + 11n]);
  });

  it('leaves no trace under a token that is no longer the newest', async () => {
    await append(anEvent());
    const before = [await countOf('events'), await countOf('inbox')];
    await server.asAdmin('update notifications.appender set token = token + 1');
    await expect(append(anEvent())).rejects.toThrow(Superseded);
    expect([await countOf('events'), await countOf('inbox')]).toEqual(before);
  });

  it('knows nothing any more after a commit whose outcome it did not learn', async () => {
    await append(anEvent());
    await server.setGone(true);
    const told = anEvent();
    await expect(append(told)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await server.setGone(false);
    expect(idsOf(await append(told))).toEqual([told.id]);
    expect(asked).toBeGreaterThan(0);
  });
});
