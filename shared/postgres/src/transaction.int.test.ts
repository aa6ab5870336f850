import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAppError } from '@holdfast/kernel/errors';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '@holdfast/dev-servers/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { openDatabase, type Database, type Tx } from './index.js';

const log = collectingLog();
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = server.migrations({
    '0001-counters.sql': 'create table counters (id text primary key, value int not null);',
  });
  database = await server.open({ service: 'transactions', migrations: [migrations], log, poolMax: 8, statementTimeoutMs: 5_000 });
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

describe('inTransaction', () => {
  it('commits raw statements and the mapper together and answers with the rows', async () => {
    const rows = await database.inTransaction(async (tx) => {
      await tx.manager.query(`update counters set value = 7 where id = 'a'`);
      return tx.query('update counters set value = value + 1 returning id, value');
    });
    expect(rows).toEqual(expect.arrayContaining([{ id: 'a', value: 8 }]));
    expect(await valueOf('a')).toBe(8);
  });

  it('leaves nothing behind when the work throws', async () => {
    const refused = database.inTransaction(async (tx) => {
      await increment(tx, 'a');
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(await valueOf('a')).toBe(0);
  });

  it('does not report success when a failed statement was swallowed', async () => {
    const swallowed = database.inTransaction(async (tx) => {
      await increment(tx, 'a');
      await tx.query('select nonsense').catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow(/nonsense/);
    expect(await valueOf('a')).toBe(0);
  });

  it('finishes both sides of a deadlock', async () => {
    let waiting = 0;
    const { promise: bothHoldOne, open } = gate();
    const attempts = { ab: 0, ba: 0 };
    const inOrder = (first: string, second: string, name: 'ab' | 'ba') =>
      database.inTransaction(async (tx) => {
        attempts[name] += 1;
        await increment(tx, first);
        waiting += 1;
        if (waiting >= 2) open();
        await bothHoldOne;
        await increment(tx, second);
      });

    await Promise.all([inOrder('a', 'b', 'ab'), inOrder('b', 'a', 'ba')]);

    expect([await valueOf('a'), await valueOf('b')]).toEqual([2, 2]);
    expect(attempts.ab + attempts.ba).toBe(3);
  });

  it('repeats serializable work until the sum is right', async () => {
    const addOne = async (tx: Tx): Promise<void> => {
      const [row] = await tx.query<{ value: number }>(`select value from counters where id = 'a'`);
      await tx.query(`update counters set value = $1 where id = 'a'`, [(row?.value ?? 0) + 1]);
    };
    await Promise.all(Array.from({ length: 3 }, () => database.inTransaction(addOne, { isolation: 'SERIALIZABLE' })));
    expect(await valueOf('a')).toBe(3);
  });

  it('gives up on endless serialization failures after a bounded number of tries', async () => {
    let attempts = 0;
    const endless = database.inTransaction(async (tx) => {
      attempts += 1;
      await tx.query(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    await expect(endless).rejects.toMatchObject({ code: '40001' });
    expect(attempts).toBe(5);
  });

  it('does not repeat any other failure', async () => {
    let attempts = 0;
    const duplicate = database.inTransaction(async (tx) => {
      attempts += 1;
      await tx.query(`insert into counters values ('a', 1)`);
    });
    await expect(duplicate).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toBe(1);
  });
});

describe('hooks', () => {
  it('before the commit take part in it, also when one registers another', async () => {
    await database.inTransaction(async (tx) => {
      tx.beforeCommit(async () => {
        await increment(tx, 'a');
        tx.beforeCommit(() => increment(tx, 'b'));
      });
    });
    expect([await valueOf('a'), await valueOf('b')]).toEqual([1, 1]);
  });

  it('after the commit run once and never after a rollback', async () => {
    const received: string[] = [];
    let attempts = 0;
    await database.inTransaction(async (tx) => {
      attempts += 1;
      tx.afterCommit(() => received.push(`attempt ${attempts}`));
      if (attempts === 1) await tx.query(`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`);
    });
    await database
      .inTransaction(async (tx) => {
        tx.afterCommit(() => received.push('rolled back'));
        throw new Error('refused');
      })
      .catch(() => undefined);
    expect(received).toEqual(['attempt 2']);
  });

  it('that fail after the commit are logged and do not undo the answer', async () => {
    const result = await database.inTransaction(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('nobody listens');
      });
      return 'done';
    });
    expect(result).toBe('done');
    expect(log.lines).toContainEqual(expect.objectContaining({ level: 'error', fact: 'an after-commit hook failed' }));
  });
});

describe('a database that does not answer', () => {
  it('503 SERVICE_UNAVAILABLE when the server ends the connection in mid transaction, and the next one works', async () => {
    const cut = database.inTransaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await server.asAdmin('select pg_terminate_backend($1)', [row?.pid]);
      await increment(tx, 'a');
    });
    await expect(cut).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfterSeconds: 2 } });
    await database.inTransaction((tx) => increment(tx, 'a'));
    expect(await valueOf('a')).toBe(1);
  });

  it('503 SERVICE_UNAVAILABLE when no connection becomes free in time', async () => {
    const busy = await server.open({ service: 'transactions-busy', migrations: [], poolMax: 1, connectTimeoutMs: 2_000 });
    const { promise, open } = gate();
    const holder = busy.inTransaction(() => promise);
    const late = await busy.inTransaction(async () => 'never').catch((error: unknown) => error);
    expect(isAppError(late, 'SERVICE_UNAVAILABLE')).toBe(true);
    open();
    await holder;
  });

  it('503 SERVICE_UNAVAILABLE when a statement runs into its time limit', async () => {
    const impatient = await server.open({ service: 'transactions-impatient', migrations: [], statementTimeoutMs: 100 });
    const late = await impatient.inTransaction((tx) => tx.query('select pg_sleep(5)')).catch((error: unknown) => error);
    expect(isAppError(late, 'SERVICE_UNAVAILABLE')).toBe(true);
    await expect(impatient.ping()).resolves.toBeUndefined();
  });

  it(
    '503 SERVICE_UNAVAILABLE while the server is down, and back to work without a restart when it returns',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-down-'));
      const own = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres') });
      const mortal = await openDatabase({
        adminUrl: own.url,
        service: 'mortal',
        internalSecret: 'x',
        migrations: [],
        poolMax: 2,
        log,
      });
      const postmaster = Number.parseInt(readFileSync(path.join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);
      process.kill(postmaster, 'SIGKILL');

      const query = () => mortal.inTransaction((tx) => tx.query('select 1 as one'));
      const down = await eventually(() =>
        query().then(
          () => Promise.reject(new Error('it still answers')),
          (error: unknown) => error,
        ),
      );
      expect(isAppError(down, 'SERVICE_UNAVAILABLE')).toBe(true);
      expect(await eventually(query)).toEqual([{ one: 1 }]);

      await mortal.close();
      await own.stop();
      removeEmbeddedPostgres(folder);
    },
    serverStartTimeoutMs,
  );

  it('survives the loss of every idle connection', async () => {
    await Promise.all([database.ping(), database.ping()]);
    await server.asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'holdfast_transactions_app'`);
    const rows = await eventually(() => database.inTransaction((tx) => tx.query('select 1 as one')));
    expect(rows).toEqual([{ one: 1 }]);
  });
});

type Gate = { readonly promise: Promise<void>; readonly open: () => void };

function gate(): Gate {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open: () => open() };
}
