import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { identityMigrations, startIdentity, type RunningIdentity } from './testing/running-identity.js';

let running: RunningIdentity;
let folder: string;
const [ownMigrations = '', ...sharedMigrations] = identityMigrations.toReversed();

beforeAll(async () => {
  running = await startIdentity();
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-upgrade-'));
}, serverStartTimeoutMs);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await running.stop();
});

/** As a process does that migrates at its start. */
async function open(migrations: readonly string[]): Promise<void> {
  await running.database.open({ service: 'identity', migrations, migrateAtStart: true, poolMax: 1 });
}

/** Applies the present migrations and the planted ones, as the migration job of the next version does. */
async function applyNextVersion(planted: Readonly<Record<string, string>>): Promise<void> {
  const migrations = path.join(folder, 'identity', 'migrations');
  mkdirSync(migrations, { recursive: true });
  cpSync(ownMigrations, migrations, { recursive: true });
  for (const [name, sql] of Object.entries(planted)) writeFileSync(path.join(migrations, name), sql);
  await open([...sharedMigrations.toReversed(), migrations]);
}

/** Numbers that no migration of identity has. */
const nickname = { '9001-nickname.sql': '-- compatible since 0002\nalter table users add column nickname text;\n' };

describe('an upgrade of the schema', () => {
  it('that is compatible with the running version leaves it working, and lets it start again', async () => {
    const before = await running.aUser();
    await applyNextVersion(nickname);
    const after = await running.aUser();
    const replica = await startIdentity({ replicaOf: running, migrateAtStart: true });
    const inReplica = await replica.aUser();
    const stored = await running.database.asAdmin<{ readonly id: string; readonly nickname: string | null }>(
      'select id, nickname from identity.users where id = any($1) order by id',
      [[before.id, after.id, inReplica.id]],
    );
    expect(stored).toEqual([before.id, after.id, inReplica.id].toSorted().map((id) => ({ id, nickname: null })));
    expect((await replica.get(`/users/${before.id}`)).status).toBe(200);
    await replica.stop();
  });

  it('that is not compatible with an older version refuses its start in words', async () => {
    await applyNextVersion({
      ...nickname,
      '9002-names.sql': '-- compatible since 9001\nalter table users rename nickname to alias;\n',
    });
    await expect(open(identityMigrations)).rejects.toThrow(
      /it applied the migration identity\/9002-names\.sql, which this version does not have and which needs code of version 9001 of identity or later; this is \d{4}\. Nothing was changed\. Start the newer version\./,
    );
  });
});
