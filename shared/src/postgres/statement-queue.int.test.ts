import { testDatabase, type TestDatabase } from '../testing/postgres/index.js';
import { serverStartTimeoutMs } from '../testing/servers/index.js';
import type { Database, Tx } from './index.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = server.migrations({
    '0001-counters.sql': 'create table counters (id text primary key, value int not null);',
  });
  database = await server.open({ service: 'statement-queue', migrations: [migrations] });
}, serverStartTimeoutMs);

afterAll(async () => {
  await server.drop();
});

beforeEach(async () => {
  await database.pool.query(`truncate counters; insert into counters values ('a', 0), ('b', 0)`);
});

async function valueOf(id: string): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ value: number }>('select value from counters where id = $1', [id]);
  return rows[0]?.value;
}

async function increment(tx: Tx, id: string): Promise<void> {
  await tx.query('update counters set value = value + 1 where id = $1', [id]);
}

describe('statements of one trip', () => {
  const countersThatAre = async () => [await valueOf('a'), await valueOf('b')];

  it('are carried out in the order of their asking, deferred ones first', async () => {
    const heard: string[] = [];
    const seen = await database.inTransaction(async (tx) => {
      tx.defer(`update counters set value = 5 where id = 'a' returning value`, [], (rows) => {
        heard.push(`deferred ${JSON.stringify(rows)}`);
      });
      const doubled = tx.query<{ value: number }>(`update counters set value = value * 2 where id = 'a' returning value`);
      const [first, second] = await Promise.all([
        doubled,
        tx.query<{ value: number }>(`select value from counters where id = 'a'`),
      ]);
      tx.afterCommit(() => heard.push('committed'));
      return [first[0]?.value, second[0]?.value];
    });
    expect(seen).toEqual([10, 10]);
    expect(heard).toEqual(['deferred [{"value":5}]', 'committed']);
  });

  it('one that is all there is goes out alone, and is heard before anything after it', async () => {
    const heard: string[] = [];
    await database.inTransaction((tx) => {
      tx.defer(`update counters set value = value + 1 where id = 'a' returning value`, [], (rows) => {
        heard.push(JSON.stringify(rows));
      });
      tx.afterCommit(() => heard.push('committed'));
      return Promise.resolve();
    });
    expect(heard).toEqual(['[{"value":1}]', 'committed']);
    expect(await countersThatAre()).toEqual([1, 0]);
    // Postgres refuses this one wherever a transaction was begun.
    const isAlone = database.inTransaction((tx) => {
      tx.defer('vacuum counters', []);
      return Promise.resolve(true);
    });
    expect(await isAlone).toBe(true);
  });

  it('one that is all there is fails the transaction with its own error, and is repeated where that may help', async () => {
    const failing = (code: string) => {
      let attempts = 0;
      const failed = database.inTransaction((tx) => {
        attempts += 1;
        tx.defer(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`, []);
        return Promise.resolve();
      });
      return failed.catch((error: unknown) => ({ code: (error as { readonly code?: string }).code, attempts }));
    };
    expect(await failing('23505')).toEqual({ code: '23505', attempts: 1 });
    expect(await failing('40001')).toEqual({ code: '40001', attempts: 5 });
    await database.inTransaction((tx) => increment(tx, 'b'));
    expect(await countersThatAre()).toEqual([0, 1]);
  });

  it('a deferred one goes out with the commit, and its failure rolls everything back', async () => {
    const heard: string[] = [];
    const failing = database.inTransaction(async (tx) => {
      await increment(tx, 'a');
      tx.defer(`insert into counters values ('a', 1)`, []);
      tx.afterCommit(() => heard.push('committed'));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await countersThatAre()).toEqual([0, 0]);
    expect(heard).toEqual([]);
    await database.inTransaction(async (tx) => tx.defer(`update counters set value = 7 where id = 'b'`, []));
    expect(await countersThatAre()).toEqual([0, 7]);
  });

  it('nothing after one that failed has happened, and the named ones can be used again', async () => {
    const named = { name: 'raise-counter', text: `update counters set value = value + 1 where id = $1 returning value` };
    const failing = database.inTransaction((tx) =>
      Promise.all([tx.query(named, ['a']), tx.query('select 1 / 0'), tx.query({ ...named, name: 'raise-later' }, ['b'])]),
    );
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    const both = await database.inTransaction((tx) =>
      Promise.all([tx.query(named, ['a']), tx.query(named, ['a']), tx.query({ ...named, name: 'raise-later' }, ['b'])]),
    );
    expect(both).toEqual([[{ value: 1 }], [{ value: 2 }], [{ value: 1 }]]);
  });

  it('one whose values cannot be written fails alone with those after it, and the connection stays in order', async () => {
    const unwritable: { self?: unknown } = {};
    unwritable.self = unwritable;
    const named = { name: 'cannot-be-written', text: 'select $1::text as text' };
    const failing = database.inTransaction((tx) =>
      Promise.all([increment(tx, 'a'), tx.query(named, [unwritable]), increment(tx, 'b')]),
    );
    await expect(failing).rejects.toThrow(/circular/);
    expect(await countersThatAre()).toEqual([0, 0]);
    const rows = await database.inTransaction((tx) => tx.query(named, ['written']));
    expect(rows).toEqual([{ text: 'written' }]);
  });
});

describe('a connection that is lost between the statements of one trip', () => {
  it('fails all that it had not answered, and the next transaction prepares its statements anew', async () => {
    const named = { name: 'raise-until-lost', text: 'update counters set value = value + 1 where id = $1 returning value' };
    await database.inTransaction((tx) => tx.query(named, ['a']));
    const cut = database.inTransaction((tx) =>
      Promise.all([tx.query(named, ['a']), tx.query('select pg_terminate_backend(pg_backend_pid())'), tx.query(named, ['b'])]),
    );
    await expect(cut).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(database.inTransaction((tx) => tx.query(named, ['a']))).resolves.toEqual([{ value: 2 }]);
    expect(await valueOf('b')).toBe(0);
  });
});

describe('a transaction that has ended', () => {
  it('lets the mapper do nothing either', async () => {
    let kept: Tx | undefined;
    const manager = await database.inTransaction(async (tx) => {
      kept = tx;
      return tx.manager;
    });
    await expect(manager.query('select 1')).rejects.toThrow(/released/);
    expect(() => kept?.manager).toThrow('has ended');
  });

  it('lets no statement through that was asked for too late', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const failing = database.inTransaction(async (tx) => {
      const slow = tx.query('select 1').then(() => tx.query('select pg_sleep(0.05)'));
      late = slow.then(() => increment(tx, 'a'));
      await tx.query('select 1');
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    await expect(late).rejects.toThrow('has ended');
    expect(await valueOf('a')).toBe(0);
  });
});
