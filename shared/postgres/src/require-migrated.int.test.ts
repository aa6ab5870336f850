import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { migrateDatabase, openDatabase } from './index.js';

let server: TestDatabase;
let folder: string;

beforeAll(async () => {
  server = await testDatabase();
  folder = server.migrations({
    '0001-notes.sql': 'create table notes (id text);',
    '0002-more.sql': 'create table more (id text);',
  });
}, serverStartTimeoutMs);
afterAll(() => server.drop());

/** What a process has that is not the administrator: no login in its URL. */
function open(service: string, migrations: readonly string[] = [folder]) {
  const url = new URL(server.adminUrl);
  url.username = '';
  url.password = '';
  const { internalSecret } = server;
  return openDatabase({ adminUrl: url.toString(), service, internalSecret, migrations, migrateAtStart: false, log: silentLog });
}

function migrate(service: string) {
  const { adminUrl, internalSecret } = server;
  return migrateDatabase({ adminUrl, service, internalSecret, migrations: [folder], log: silentLog });
}

function unavailable(fact: RegExp) {
  return { code: 'SERVICE_UNAVAILABLE', cause: { message: expect.stringMatching(fact) } };
}

describe('a process that does not migrate', () => {
  it('503 SERVICE_UNAVAILABLE until its role exists, then opens the schema without an administrator', async () => {
    await expect(open('waiting')).rejects.toMatchObject(
      unavailable(/^The role holdfast_waiting_app cannot log in\. Run "npm run migrate"/),
    );
    await migrate('waiting');
    const database = await open('waiting');
    expect((await database.pool.query('select from notes')).rows).toEqual([]);
    await database.close();
  });

  it('503 SERVICE_UNAVAILABLE while the schema lacks a migration of its version', async () => {
    await migrate('behind');
    const added = server.migrations({ '0001-next.sql': 'create table next (id text);' });
    await expect(open('behind', [folder, added])).rejects.toMatchObject(
      unavailable(/^The schema behind lacks 1 migrations; .*0001-next\.sql is the first\. Run "npm run migrate"/),
    );
  });
});

describe('migrating', () => {
  it('applies each migration once, also when several jobs run at the same time, and then nothing', async () => {
    const runs = await Promise.all([migrate('twice'), migrate('twice'), migrate('twice')]);
    expect(runs.flat().map((key) => key.split('/')[1])).toEqual(['0001-notes.sql', '0002-more.sql']);
    expect(await migrate('twice')).toEqual([]);
  });
});
