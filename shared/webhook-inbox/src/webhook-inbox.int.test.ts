import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { webhookInboxMigrations, type EventOutcome } from './index.js';
import { inboxProcess } from './testing/inbox-process.js';
import type { ClaimedEvent } from './webhook-event.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'inbox-test', migrations: [webhookInboxMigrations] });
});
afterEach(() => server.asAdmin('delete from inbox_test.webhook_events'));
afterAll(() => server.drop());

const applied: EventOutcome = { result: 'applied' };
const failing = () => Promise.reject(new Error('the database is busy'));
const unconfirmed = () => Promise.resolve({ result: 'unconfirmed', note: 'unknown payment' } as const);

/** One process with webhooks. */
const aProcess = (act: (event: ClaimedEvent) => Promise<EventOutcome> = () => Promise.resolve(applied)) =>
  inboxProcess(database, act);

type Row = {
  readonly result: string | null;
  readonly note: string | null;
  readonly attempts: number;
  readonly seconds: number | null;
};

async function rowOf(providerEventId: string): Promise<Row | undefined> {
  const sql = `
    select result, note, attempts, extract(epoch from next_attempt_at - now())::float8 as seconds
    from inbox_test.webhook_events
    where provider_event_id = $1`;
  return (await server.asAdmin<Row>(sql, [providerEventId]))[0];
}

describe('an event', () => {
  it('is committed before it is handled', async () => {
    const found: unknown[] = [];
    const { receive } = aProcess(async ({ providerEventId }) => {
      found.push(await rowOf(providerEventId));
      return { result: 'applied', note: 'credited' };
    });
    expect(await receive('one')).toBe('applied');
    expect(found).toMatchObject([{ result: null, attempts: 1 }]);
    expect(await rowOf('one')).toMatchObject({ result: 'applied', note: 'credited', attempts: 1, seconds: null });
  });

  it('that cannot be stored is not handled', async () => {
    const { receive, handled } = aProcess();
    await expect(receive('nul', { eventType: '\u0000' })).rejects.toThrow('invalid byte sequence');
    expect(handled).toEqual([]);
  });

  it('is stored and handled once, however many copies arrive at two replicas at the same time', async () => {
    const [one, other] = [aProcess(), aProcess()];
    const ids = Array.from({ length: 20 }, (_, n) => `copied ${n}`);
    const receipts = await Promise.all(
      [one, other, one, other, other, one].flatMap(({ receive }, copy) =>
        (copy % 3 === 0 ? ids : ids.toReversed()).map((id) => receive(id)),
      ),
    );
    expect(receipts.filter((receipt) => receipt === 'applied')).toHaveLength(20);
    expect(receipts.filter((receipt) => receipt === 'duplicate')).toHaveLength(100);
    expect([...one.handled, ...other.handled].toSorted()).toEqual(ids.toSorted());
    expect(await one.receive('copied 7')).toBe('duplicate');
  });

  it('whose outcome is known is stored with it, and not handled', async () => {
    const { receive, handled, counts } = aProcess();
    expect(await receive('known', {}, { result: 'ignored', note: 'unknown type' })).toBe('ignored');
    expect(await rowOf('known')).toMatchObject({ result: 'ignored', note: 'unknown type', attempts: 0 });
    expect(handled).toEqual([]);
    expect(await counts()).toMatch(/holdfast_webhook_events_total\{outcome="ignored",.*\} 1/);
  });

  it('whose outcome the statement of the service says is stored with it, and not handled', async () => {
    const { lookUp, handled } = aProcess();
    const known = { result: 'applied', note: 'intent woken' } as const;
    expect(await lookUp('known', known)).toMatchObject({ receipt: 'applied', found: { ...known, about: 'known' } });
    expect(await rowOf('known')).toMatchObject({ result: 'applied', note: 'intent woken', attempts: 0, seconds: null });
    expect(await lookUp('known', known)).toMatchObject({ receipt: 'duplicate', found: known });
    expect(handled).toEqual([]);
  });

  it('about what the service has done itself is counted as applied', async () => {
    const { inbox, counts } = aProcess();
    inbox.countOwn();
    expect(await counts()).toMatch(/holdfast_webhook_events_total\{outcome="applied",.*\} 1/);
  });

  it('whose outcome the statement of the service does not say is claimed by the process that stores it, and handled', async () => {
    const found: unknown[] = [];
    const { lookUp } = aProcess(async ({ providerEventId }) => {
      found.push(await rowOf(providerEventId));
      return applied;
    });
    const unknown = { result: null, note: null };
    expect((await lookUp('checked', unknown)).receipt).toBe('applied');
    expect(found).toMatchObject([{ result: null, attempts: 1 }]);
    expect((found as readonly Row[])[0]?.seconds).toBeGreaterThan(50);
    expect((await lookUp('checked', unknown)).receipt).toBe('duplicate');
    expect(found).toHaveLength(1);
  });

  it('with a signature replaces the same event without one, also where its outcome is looked up', async () => {
    const { lookUp } = aProcess();
    const ignored = { result: 'ignored', note: 'unknown contract' } as const;
    const receipts = [];
    for (const isSigned of [false, false, true, true, false])
      receipts.push((await lookUp('looked up', ignored, { isSigned })).receipt);
    expect(receipts).toEqual(['ignored', 'duplicate', 'ignored', 'duplicate', 'duplicate']);
  });

  it('without a signature is replaced by the same event with one, once', async () => {
    const { receive, handled } = aProcess();
    const receipts = [];
    for (const isSigned of [false, false, true, true, false]) receipts.push(await receive('replaced', { isSigned }));
    expect(receipts).toEqual(['applied', 'duplicate', 'applied', 'duplicate', 'duplicate']);
    expect(handled).toEqual(['replaced', 'replaced']);
  });
});

describe('an event that could not be handled', () => {
  it('is handled by the loop, which the process wakes up for the next attempt', async () => {
    const replica = aProcess(failing);
    const stop = replica.start();
    expect(await replica.receive('later')).toBe('open');
    expect(replica.wakes).toEqual([2_000]);
    replica.given.act = () => Promise.resolve(applied);
    await eventually(async () => expect(await rowOf('later')).toMatchObject({ result: 'applied', attempts: 2 }));
    await stop();
  });

  it('waits longer after each attempt, at most five minutes', async () => {
    const replica = aProcess(failing);
    await replica.receive('slower');
    const delays = [];
    for (let attempt = 2; attempt <= 10; attempt += 1) {
      await replica.retry();
      delays.push(Math.ceil((await rowOf('slower'))?.seconds ?? 0));
    }
    expect(delays).toEqual([4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  it('fails after the last attempt, and an error is logged for an operator', async () => {
    const replica = aProcess(failing);
    await replica.receive('failing');
    for (let attempt = 2; attempt <= 18; attempt += 1) await replica.retry();
    expect(await rowOf('failing')).toMatchObject({ result: 'failed', attempts: 16 });
    expect(replica.log.lines.filter(({ level }) => level === 'error')).toMatchObject([{ fact: 'webhook event failed for good' }]);
    expect(await replica.counts()).toMatch(/holdfast_webhook_events_total\{outcome="failed",.*\} 1/);
  });

  it('is measured with the whole time that it waited', async () => {
    const replica = aProcess(failing);
    await replica.receive('measured');
    await server.asAdmin("update inbox_test.webhook_events set received_at = received_at - interval '20 s'");
    replica.given.act = () => Promise.resolve(applied);
    await replica.retry();
    expect(await replica.counts()).toMatch(/holdfast_webhook_event_lag_seconds_bucket\{le="15",.*\} 0/);
    expect(await replica.counts()).toMatch(/holdfast_webhook_event_lag_seconds_bucket\{le="60",.*\} 1/);
  });
});

it('an event that nothing confirms is looked at again a few times, then ignored', async () => {
  const replica = aProcess(unconfirmed);
  expect(await replica.receive('unknown')).toBe('open');
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    expect(await rowOf('unknown')).toMatchObject({ result: null, note: 'unknown payment', attempts: attempt - 1 });
    await replica.retry();
  }
  expect(await rowOf('unknown')).toMatchObject({ result: 'ignored', note: 'unknown payment', attempts: 4 });
  expect(await replica.counts()).toMatch(/holdfast_webhook_event_lag_seconds_count\{.*\} 0/);
});

describe('the events of a process that died between storing and handling', () => {
  async function leftBehind(ids: readonly string[]): Promise<void> {
    const dead = aProcess(() => new Promise(() => undefined));
    for (const id of ids) dead.receive(id).catch(() => undefined);
    await eventually(() => expect(dead.handled).toHaveLength(ids.length));
  }

  it('are handled by the loop of another one, once their claim has expired', async () => {
    await leftBehind(['orphaned']);
    const survivor = aProcess();
    await survivor.runJob('webhook-events');
    expect(survivor.handled).toEqual([]);
    await server.asAdmin('update inbox_test.webhook_events set next_attempt_at = now()');
    const stop = survivor.start();
    await eventually(async () => expect(await rowOf('orphaned')).toMatchObject({ result: 'applied', attempts: 2 }));
    await stop();
  });

  it('are each handled by one of two replicas', async () => {
    const ids = Array.from({ length: 50 }, (_, n) => `shared ${n}`);
    await leftBehind(ids);
    await server.asAdmin('update inbox_test.webhook_events set next_attempt_at = now()');
    const replicas = [aProcess(), aProcess()];
    const stops = replicas.map(({ start }) => start());
    await eventually(async () => {
      const open = await server.asAdmin('select from inbox_test.webhook_events where result is null');
      expect(open).toHaveLength(0);
    });
    for (const stop of stops) await stop();
    expect(replicas.flatMap(({ handled }) => handled).toSorted()).toEqual(ids.toSorted());
  });
});

it('the loop sleeps until the first event is due', async () => {
  const replica = aProcess(failing);
  const nextDueInMs = () => replica.inbox.jobs[0]?.nextDueInMs?.();
  expect(await nextDueInMs()).toBeUndefined();
  await replica.receive('next');
  expect(await nextDueInMs()).toBeGreaterThan(1_000);
  expect(await nextDueInMs()).toBeLessThanOrEqual(2_000);
});

it('events are deleted after the retention, those without a signature after a day, open ones never', async () => {
  const replica = aProcess();
  const ages = { old: '31 days', recent: '29 days', 'old unsigned': '25 hours', 'recent unsigned': '23 hours', open: '31 days' };
  for (const [id, age] of Object.entries(ages)) {
    replica.given.act = id === 'open' ? failing : () => Promise.resolve(applied);
    await replica.receive(id, { isSigned: !id.endsWith('unsigned') });
    const sql = 'update inbox_test.webhook_events set received_at = now() - $2::interval where provider_event_id = $1';
    await server.asAdmin(sql, [id, age]);
  }
  await replica.runJob('prune-webhook-events');
  const left = await server.asAdmin<{ readonly id: string }>('select provider_event_id as id from inbox_test.webhook_events');
  expect(left.map(({ id }) => id).toSorted()).toEqual(['open', 'recent', 'recent unsigned']);
});
