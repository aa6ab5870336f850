import { systemClock } from '@holdfast/kernel/context';
import { escrowCreated, orderEscrowFunding, type Envelope } from '@holdfast/contracts/messages';
import { connectDatabase, type Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { startCommitProxy, type CommitFault, type TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { notifications } from '../service.js';
import { aCredit, aMessage, anAuditFact, anEvent } from '../testing/messages.js';
import { notificationsMigrations } from '../testing/running-notifications.js';
import { handleAuditRecorded, handleEvent } from '../use-cases/handle-messages.js';
import type { Arrival } from '../use-cases/ports.js';
import { createAppendBatch, Superseded, type AppendBatch, type AppendedBatch, type BatchDeps } from './append-batch.js';
import { createPartitions } from './partitions.js';
import { verifyAuditChain } from './verify-audit-chain.js';
import { sealerWith } from './record-audit.js';
import { entities } from './schema.js';

const realClock = systemClock();
let nowMs = realClock.epochMs();
/** The time for which an event is held back passes only where a test moves it, however slow the machine is. */
const clock = { ...realClock, epochMs: () => nowMs };
const [heldBackMs, lockTimeoutMs] = [60_000, 60_000];
const sealer = sealerWith(Buffer.from('key'));

let server: TestDatabase;
let database: Database;
let token: bigint;
let appendArrivals: AppendBatch;
/** Names of the statements that `appendArrivals` has executed. */
let statements: string[];

beforeAll(async () => {
  server = await serviceDatabase(notifications);
  const tables = { service: 'notifications', migrations: notificationsMigrations, entities };
  database = await server.open({ ...tables, poolMax: 2, statementTimeoutMs: lockTimeoutMs });
  await createPartitions(database, clock);
}, serverStartTimeoutMs);
afterAll(() => server.drop());

beforeEach(async () => {
  const move = 'update notifications.appender set token = token + 1 returning token';
  const [row] = await server.asAdmin<{ readonly token: string }>(move);
  becomeAppender(BigInt(row?.token ?? 0));
});

function becomeAppender(newToken: bigint): void {
  token = newToken;
  statements = [];
  appendArrivals = appendingTo(observed(database.pool, statements));
}

/** Another process with the same token, as far as the log can tell. */
function appendingTo(pool: BatchDeps['pool']): AppendBatch {
  return createAppendBatch({ pool, clock, sealer, token });
}

function observed({ query }: BatchDeps['pool'], names: string[]): BatchDeps['pool'] {
  return {
    query: (sql, values) => {
      names.push(typeof sql === 'object' && 'name' in sql ? sql.name : '');
      return query(sql, values);
    },
  };
}

async function append(...messages: readonly Envelope[]): Promise<AppendedBatch> {
  return appendArrivals(await arrivalsOf(messages));
}

/** The arrivals that the consumers make of the messages. */
async function arrivalsOf(messages: readonly Envelope[]): Promise<readonly Arrival[]> {
  const arrivals: Arrival[] = [];
  const collect = (arrival: Arrival): Promise<void> => Promise.resolve(void arrivals.push(arrival));
  for (const message of messages) await handleEvent({ append: collect, clock, heldBackMs }, message);
  return arrivals;
}

function idsOf({ events }: AppendedBatch): readonly unknown[] {
  return events.map(({ envelope }) => (JSON.parse(envelope) as { eventId: unknown }).eventId);
}

async function countOf(table: 'events' | 'inbox' | 'audit_entries'): Promise<number> {
  const [row] = await server.asAdmin<{ readonly count: string }>(`select count(*) as count from notifications.${table}`);
  return Number(row?.count);
}

const sessions = `
  select wait_event_type
  from pg_stat_activity
  where datname = current_database() and usename = 'holdfast_notifications_app'`;

async function lockWaits(): Promise<number> {
  return (await server.asAdmin(`${sessions} and wait_event_type = 'Lock'`)).length;
}

describe('appendBatch', () => {
  it('continues the positions of the previous batch without gaps', async () => {
    const [one, other, next] = [aCredit('usr_next', 1), aCredit('usr_next', 2), aCredit('usr_next', 3)];
    const first = await append(one);
    const second = await append(other, next);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([one.id, other.id, next.id]);
    expect(second.events.map(({ position }) => position)).toEqual([first.lastPosition + 1n, first.lastPosition + 2n]);
  });

  it('gives a marketplace strictly increasing timestamps, also across batches and for late events', async () => {
    const marketplaceId = 'mkt_times';
    const occurredAt = clock.now();
    const [same, again, late] = [
      anEvent({ marketplaceId, occurredAt }),
      anEvent({ marketplaceId, occurredAt }),
      anEvent({ marketplaceId, occurredAt: '2026-01-01T00:00:00.000000Z' }),
    ];
    const batches = [await append(same), await append(again, late)];
    const shown = batches.flatMap(({ events }) => events.map((event) => event.occurredAt));
    expect(shown[0]).toBe(occurredAt);
    expect([...new Set(shown)].sort()).toEqual(shown);
  });

  it('reads the log again when a first version is not the first event of its aggregate', async () => {
    await append(anEvent());
    await server.asAdmin(`insert into notifications.aggregate_heads values ('Balance usr_first', 5)`);
    expect((await append(aCredit('usr_first', 1))).events[0]?.envelope).toContain('"aggregateVersion":6}');
    expect(statements.slice(-3)).toEqual(['append-rows', 'read-log', 'append-rows']);
  });

  it('continues after the version of a balance in the log', async () => {
    await server.asAdmin(`insert into notifications.aggregate_heads values ('ledger-balance Balance usr_old USD', 7)`);
    expect(idsOf(await append(aCredit('usr_old', 9)))).toEqual([]);
    expect(idsOf(await append(aCredit('usr_old', 8)))).toHaveLength(1);
  });

  it('does not lower the version of a balance for a late event', async () => {
    await server.asAdmin(`insert into notifications.aggregate_heads values ('ledger-balance Balance usr_late USD', 5)`);
    await append(aCredit('usr_late', 1));
    expect(idsOf(await append(aCredit('usr_late', 6)))).toHaveLength(1);
  });

  it('holds an event back until the event that it names as its predecessor is in the log', async () => {
    const escrow = { escrowId: 'esc_1', orderId: 'ord_1', amount: '1.00', providerContractId: 'C1' };
    const cause = aMessage(escrowCreated, { ...escrow, currency: 'USD' });
    const effect = aMessage(orderEscrowFunding, escrow, { causationId: cause.id, afterEventId: cause.id });
    expect((await append(effect)).doneIds.size).toBe(0);
    expect(idsOf(await append(effect, cause))).toEqual([cause.id, effect.id]);
  });

  it('finds a predecessor that an earlier process has appended', async () => {
    const [before, other] = [anEvent(), anEvent()];
    await append(before);
    await server.asAdmin('update notifications.appender set token = token + 1');
    becomeAppender(token + 1n);
    const effect = anEvent({ afterEventId: before.id });
    expect(idsOf(await append(other, effect))).toEqual([other.id, effect.id]);
  });

  it('holds an event back for the gap time where a lower version is missing', async () => {
    const changes = [1, 2, 3, 6].map((aggregateVersion) => anEvent({ aggregateId: 'ord_twice', aggregateVersion }));
    const [first, second, third, afterGap] = await arrivalsOf(changes);
    if (first === undefined || second === undefined || third === undefined || afterGap === undefined)
      throw new Error('expected four arrivals');
    await appendArrivals([first]);
    expect((await appendArrivals([third])).events).toEqual([]);
    expect(idsOf(await appendArrivals([third, second]))).toEqual([second.id, third.id]);
    expect((await appendArrivals([afterGap])).events).toEqual([]);
    nowMs += 1_000;
    expect(idsOf(await appendArrivals([afterGap]))).toEqual([afterGap.id]);
  });

  it('skips messages that are in the inbox', async () => {
    const [consumed, foreign, fresh] = [anEvent(), anEvent(), anEvent()];
    await append(consumed);
    await server.asAdmin(`insert into notifications.inbox (consumer, message_id) values ('notifications', $1)`, [foreign.id]);
    const again = await append(consumed, foreign, fresh);
    expect(idsOf(again)).toEqual([fresh.id]);
    expect(again.doneIds).toEqual(new Set([consumed.id, foreign.id, fresh.id]));
  });

  it('decides again when the log has grown between read and write', async () => {
    const [twice, rival, fresh] = [anEvent(), anEvent(), anEvent()];
    const rivals = [await arrivalsOf([twice, rival])];
    const pool: BatchDeps['pool'] = {
      query: async (sql, values) => {
        const isWrite = typeof sql === 'object' && 'name' in sql && sql.name === 'append-rows';
        const overtaking = isWrite ? rivals.pop() : undefined;
        if (overtaking !== undefined) await appendArrivals(overtaking);
        return database.pool.query(sql, values);
      },
    };
    const batch = await appendingTo(pool)(await arrivalsOf([twice, fresh]));
    expect(idsOf(batch)).toEqual([fresh.id]);
    expect(batch.doneIds).toEqual(new Set([twice.id, fresh.id]));
    const [row] = await server.asAdmin<{ readonly count: string; readonly last: string }>(
      'select count(*) as count, max(position) as last from notifications.events',
    );
    expect(row).toEqual({ count: batch.lastPosition.toString(), last: batch.lastPosition.toString() });
  });

  it('reads only what it has not appended itself', async () => {
    const order = { marketplaceId: 'mkt_own', aggregateId: 'ord_own' } as const;
    const first = anEvent({ ...order, aggregateVersion: 1 });
    const second = anEvent({ ...order, aggregateVersion: 2, afterEventId: first.id });
    const third = anEvent({ ...order, aggregateVersion: 3, afterEventId: second.id });
    expect(idsOf(await append(first))).toEqual([first.id]);
    expect(statements.splice(0)).toEqual(['read-log', 'append-rows']);
    expect((await append(third)).events).toEqual([]);
    expect(statements.splice(0)).toEqual(['read-log']);
    expect(idsOf(await append(second))).toEqual([second.id]);
    expect(idsOf(await append(third))).toEqual([third.id]);
    expect(statements.splice(0)).toEqual(['append-rows', 'append-rows']);
    expect((await append(first, second)).doneIds).toEqual(new Set([first.id, second.id]));
    expect(statements).toEqual([]);
  });

  it('does not take the version of a late event, which it appends without a read, as the version of its balance', async () => {
    await append(anEvent());
    await server.asAdmin(`insert into notifications.aggregate_heads values ('ledger-balance Balance usr_later USD', 5)`);
    statements.splice(0);
    await append(aCredit('usr_later', 1));
    expect(statements).toEqual(['append-rows']);
    expect(idsOf(await append(aCredit('usr_later', 6)))).toHaveLength(1);
  });

  it.each([
    ['no longer ends there', (rival: AppendBatch, twice: readonly Arrival[]) => rival(twice)],
    [
      'has a message of the batch',
      (_rival: AppendBatch, [twice]: readonly Arrival[]) =>
        server.asAdmin(`insert into notifications.inbox (consumer, message_id) values ('notifications', $1)`, [twice?.id]),
    ],
  ])('reads the log again when it %s', async (_, change) => {
    const marketplaceId = 'mkt_moved';
    const [before, twice, fresh] = [anEvent({ marketplaceId }), anEvent({ marketplaceId }), anEvent({ marketplaceId })];
    await append(before);
    statements.splice(0);
    await change(appendingTo(database.pool), await arrivalsOf([twice]));
    const batch = await append(twice, fresh);
    expect(statements).toEqual(['append-rows', 'read-log', 'append-rows']);
    expect(idsOf(batch)).toEqual([fresh.id]);
    expect(batch.doneIds).toEqual(new Set([twice.id, fresh.id]));
  });

  it('writes nothing with an outdated token', async () => {
    await append(anEvent());
    const before = [await countOf('events'), await countOf('inbox')];
    await server.asAdmin('update notifications.appender set token = token + 1');
    await expect(append(anEvent())).rejects.toThrow(Superseded);
    expect([await countOf('events'), await countOf('inbox')]).toEqual(before);
  });

  it('writes nothing when the token is incremented while it waits for the row lock', async () => {
    const before = [await countOf('events'), await countOf('inbox')];
    const waiting = await database.inTransaction(async (tx) => {
      await tx.query('update appender set token = token + 1');
      const appending = Promise.allSettled([append(anEvent())]);
      await eventually(async () => expect(await lockWaits()).toBe(1));
      return { appending };
    });
    const [outcome] = await waiting.appending;
    expect(outcome).toEqual({ status: 'rejected', reason: expect.any(Superseded) as Superseded });
    expect([await countOf('events'), await countOf('inbox')]).toEqual(before);
  });

  it('can be repeated after a database outage', async () => {
    const event = anEvent();
    await server.setUnavailable(true);
    await expect(append(event)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // A terminated session may end later, and until then the pool would use it again.
    await eventually(async () => expect(await server.asAdmin(sessions)).toEqual([]));
    await server.setUnavailable(false);
    expect(idsOf(await append(event))).toEqual([event.id]);
  });

  it.each<[CommitFault, number]>([
    ['lose-request', 1],
    ['garble-response', 0],
  ])('appends event and audit entry once when it is repeated after %s of its commit', async (fault, appendedAgain) => {
    const proxy = await startCommitProxy(server.adminUrl);
    const { internalSecret } = server;
    const faulty = await connectDatabase({ adminUrl: proxy.url, service: 'notifications', internalSecret, log: silentLog });
    const events = await arrivalsOf([anEvent()]);
    const facts: Arrival[] = [];
    await handleAuditRecorded(
      { append: (fact) => Promise.resolve(void facts.push(fact)), clock, heldBackMs },
      anAuditFact() as Parameters<typeof handleAuditRecorded>[1],
    );
    const before = [await countOf('events'), await countOf('audit_entries')];
    proxy.setFault(fault, { statement: 'append-rows' });
    await expect(appendingTo(faulty.pool)([...events, ...facts])).rejects.toThrow();
    expect(proxy.faultCount()).toBeGreaterThan(0);
    proxy.setFault('none');
    const again = await appendArrivals([...events, ...facts]);
    expect(again.events).toHaveLength(appendedAgain);
    expect(again.doneIds.size).toBe(2);
    expect([await countOf('events'), await countOf('audit_entries')]).toEqual(before.map((count) => count + 1));
    expect((await verifyAuditChain(database, clock, sealer)).firstBreak).toBeNull();
    await faulty.close();
    await proxy.close();
  });
});
