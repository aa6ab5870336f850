import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { createOutbox, messagingMigrations } from './index.js';
import { defaultLimits } from './limits.js';
import { aNotice, noticePosted } from './testing/notices.js';

const clock = systemClock();
const outbox = createOutbox({
  clock,
  newId: idFactory(clock.epochMs),
  relay: { handOver: () => undefined, limits: defaultLimits },
});
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const own = server.migrations({ '0001-changes.sql': 'create table changes (id text primary key);' });
  database = await server.open({ service: 'outbox-test', migrations: [messagingMigrations, own] });
}, serverStartTimeoutMs);

beforeEach(async () => {
  await database.pool.query('delete from outbox');
  await database.pool.query('delete from changes');
});

afterAll(async () => {
  await server.drop();
});

const change = (id: string) => ({ name: 'write-change', text: 'insert into changes (id) values ($1)', values: [id] });

/** Writes the change with these messages. Returns the names of the statements. */
async function commitChange(id: string, notices: readonly string[]): Promise<readonly unknown[]> {
  const names: unknown[] = [];
  await database.inTransaction(async (tx) => {
    const defer: typeof tx.defer = (sql, values, onRows) => {
      names.push(typeof sql === 'object' && 'name' in sql ? sql.name : sql);
      tx.defer(sql, values, onRows);
    };
    const observed = { ...tx, defer };
    outbox.writeWithMessages(observed, change(id));
    for (const text of notices) outbox.add(observed, noticePosted, aNotice(text));
  });
  return names;
}

/** The numbers of changes and outbox rows. */
async function rowsLeft(): Promise<readonly number[]> {
  const counts = ['changes', 'outbox'].map((table) => database.pool.query(`select from ${table}`));
  return (await Promise.all(counts)).map(({ rows }) => rows.length);
}

describe('a change that is written with the messages', () => {
  it('shares a statement with the outbox row: both are committed or neither', async () => {
    expect(await commitChange('one', ['a', 'b'])).toEqual(['write-change-with-outbox-row']);
    expect(await rowsLeft()).toEqual([1, 1]);
    await expect(commitChange('one', ['c'])).rejects.toMatchObject({ code: '23505' });
    await expect(commitChange('two', ['x'.repeat(300_000)])).rejects.toThrow(/larger than 262144 bytes/);
    expect(await rowsLeft()).toEqual([1, 1]);
  });

  it('is written without messages, too', async () => {
    expect(await commitChange('one', [])).toEqual(['write-change']);
    expect(await rowsLeft()).toEqual([1, 0]);
  });

  it('is the only one of its transaction', async () => {
    const twice = database.inTransaction(async (tx) => {
      outbox.writeWithMessages(tx, change('one'));
      outbox.writeWithMessages(tx, change('two'));
    });
    await expect(twice).rejects.toThrow('write-change is written with the outbox row already.');
    expect(await rowsLeft()).toEqual([0, 0]);
  });
});
