import { isAppError } from '@holdfast/kernel/errors';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { startCommitProxy, testDatabase, type CommitProxy, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { connectDatabase, OutcomeUnknown, type Database, type Tx } from './index.js';

const log = silentLog;
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = server.migrations({
    '0001-counters.sql': 'create table counters (id text primary key, value int not null);',
  });
  database = await server.open({ service: 'commits', migrations: [migrations], log });
}, serverStartTimeoutMs);

afterAll(async () => {
  await server.drop();
});

beforeEach(async () => {
  await database.inTransaction(async (tx) => {
    await tx.query('delete from counters');
    await tx.query(`insert into counters values ('a', 0), ('b', 0)`);
  });
});

async function valueOf(id: string): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ value: number }>('select value from counters where id = $1', [id]);
  return rows[0]?.value;
}

async function increment(tx: Tx, id: string): Promise<void> {
  await tx.query('update counters set value = value + 1 where id = $1', [id]);
}

describe('pipelined statements', () => {
  it('run in the order of issue', async () => {
    const rows = await database.inTransaction(async (tx) => {
      const [, , last] = await Promise.all([
        increment(tx, 'a'),
        increment(tx, 'a'),
        tx.query('select value from counters order by id'),
      ]);
      return last;
    });
    expect(rows).toEqual([{ value: 2 }, { value: 0 }]);
  });

  it('roll the transaction back with the first error', async () => {
    const broken = database.inTransaction(async (tx) => {
      tx.defer(`update counters set value = 9 where id = 'a'`);
      tx.defer(`insert into counters values ('b', 1)`);
      tx.defer(`update counters set value = 9 where id = 'b'`);
      await tx.query('select 1');
    });
    await expect(broken).rejects.toMatchObject({ code: '23505' });
    expect([await valueOf('a'), await valueOf('b')]).toEqual([0, 0]);
  });

  it('that were deferred have succeeded before the commit, and `onRows` runs before afterCommit', async () => {
    const seen: unknown[] = [];
    await database.inTransaction(async (tx) => {
      tx.defer('update counters set value = value + 1 returning id', [], (rows) => seen.push(rows.length));
      tx.afterCommit(() => seen.push('committed'));
    });
    expect(seen).toEqual([2, 'committed']);
  });

  it('cannot be issued once the transaction has ended', async () => {
    let late: Tx | undefined;
    await database.inTransaction(async (tx) => {
      late = tx;
    });
    await expect(late?.query('select 1')).rejects.toThrow('The transaction has ended.');
  });
});

describe('a transaction is never committed partly', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['itself'] = cyclic;

  it('when a value cannot be serialized', async () => {
    const broken = database.inTransaction(async (tx) => {
      tx.defer(`update counters set value = value + 1 where id = 'a'`);
      tx.defer({ name: 'bad-value', text: 'update counters set value = $1' }, [cyclic]);
    });
    await expect(broken).rejects.toThrow(/circular/);
    expect(await valueOf('a')).toBe(0);
    const { rowCount } = await database.pool.query({ name: 'bad-value', text: 'update counters set value = $1' }, [5]);
    expect(rowCount).toBe(2);
  });

  it('when a statement name has two texts', async () => {
    const broken = database.inTransaction(async (tx) => {
      tx.defer(`update counters set value = value + 1 where id = 'a'`);
      tx.defer({ name: 'twice', text: 'select 1' });
      tx.defer({ name: 'twice', text: 'select 2' });
    });
    await expect(broken).rejects.toThrow(/must be unique/);
    expect(await valueOf('a')).toBe(0);
  });

  it('when the server refuses a statement', async () => {
    const broken = database.inTransaction(async (tx) => {
      tx.defer(`update counters set value = value - 1 where id = 'a'`);
      tx.defer(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
      tx.defer(`update counters set value = value + 1 where id = 'b'`);
    });
    await expect(broken).rejects.toMatchObject({ code: '40001' });
    expect([await valueOf('a'), await valueOf('b')]).toEqual([0, 0]);
  });
});

describe('a connection that TypeORM uses', () => {
  it('is discarded after an error of the driver, and kept after an error of the server', async () => {
    const { manager } = (await server.open({ service: 'typeorm-connections', migrations: [], poolMax: 1, log })).pool;
    const connection = (): Promise<unknown> => manager.query('select pg_backend_pid()');
    const first = await connection();
    await expect(manager.query('select 1 / $1::integer', [0])).rejects.toThrow(/division by zero/);
    expect(await connection()).toEqual(first);
    await expect(manager.query('select $1::json', [{ toPostgres: () => fail() }])).rejects.toThrow(/not serializable/);
    expect(await connection()).not.toEqual(first);
  });

  function fail(): never {
    throw new Error('not serializable');
  }
});

describe('a COMMIT whose response is lost or unclear', () => {
  let proxy: CommitProxy;
  let remote: Database;

  beforeAll(async () => {
    proxy = await startCommitProxy(server.adminUrl);
    const { internalSecret } = server;
    remote = await connectDatabase({ adminUrl: proxy.url, service: 'commits', internalSecret, poolMax: 2, log });
  });
  afterEach(() => proxy.setFault('none'));
  afterAll(async () => {
    await remote.close();
    await proxy.close();
  });

  it.each([
    ['lost', 'lose-response', 1],
    ['garbled', 'garble-response', 1],
    ['missing, because the request was lost', 'lose-request', 0],
  ] as const)('OutcomeUnknown, without a retry, when the response is %s', async (_, fault, value) => {
    let attempts = 0;
    proxy.setFault(fault);
    const outcome = await remote
      .inTransaction(async (tx) => {
        attempts += 1;
        await increment(tx, 'a');
      })
      .catch((error: unknown) => error);
    proxy.setFault('none');
    expect(outcome).toBeInstanceOf(OutcomeUnknown);
    expect(isAppError(outcome, 'SERVICE_UNAVAILABLE')).toBe(true);
    expect(attempts).toBe(1);
    await eventually(async () => expect(await valueOf('a')).toBe(value));
    await remote.inTransaction((tx) => increment(tx, 'b'));
    expect(await valueOf('b')).toBe(1);
  });

  it('is not sent if BEGIN failed, and no statement runs outside of a transaction', async () => {
    const work = jest.fn((tx: Tx) => increment(tx, 'a'));
    proxy.setFault('refuse-begin');
    await expect(remote.inTransaction(work)).rejects.toThrow(/syntax error/);
    proxy.setFault('none');
    expect(work).not.toHaveBeenCalled();
    await remote.inTransaction(work);
    expect(await valueOf('a')).toBe(1);
  });

  it('is an error if the server refuses it', async () => {
    await server.asAdmin(`
      create or replace function commits.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused at commit' using errcode = '23514'; end $$`);
    await server.asAdmin(`
      create constraint trigger refuse_at_commit after insert on commits.counters
      deferrable initially deferred for each row execute function commits.refuse()`);
    const refused = database.inTransaction((tx) => tx.query(`insert into counters values ('c', 1)`));
    await expect(refused).rejects.toMatchObject({ code: '23514' });
    await server.asAdmin('drop trigger refuse_at_commit on commits.counters');
    expect(await valueOf('c')).toBeUndefined();
  });
});
