import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { migrateDatabase } from '@holdfast/postgres';
import { silentLog } from '../log/index.js';
import { runAsAdmin, withDatabase } from './run-as-admin.js';

/** The schema of a service after all migrations of these folders. */
export type MigratedSchema = { readonly service: string; readonly migrations: readonly string[] };

type Contents = { readonly internalSecret: string; readonly schemas: readonly MigratedSchema[] };

/**
 * Creates a database with these schemas as a copy of a template. The first test file of a run that needs the template makes it, and
 * the others wait meanwhile: a copy takes a tenth of the time that the migrations take.
 */
export async function copyMigrated(serverUrl: string, name: string, contents: Contents): Promise<void> {
  const template = `template_${hashOf(contents.schemas)}`;
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [template]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(serverUrl, template, contents);
    await client.query('select pg_advisory_unlock_all()');
    await client.query(`create database ${name} template ${template}`);
    await copyRoleSettings(client, template, name);
  } finally {
    await client.end();
  }
}

const roleSettings = `
  select
    rolname as role,
    unnest(setconfig) as setting
  from pg_db_role_setting
  join pg_roles on pg_roles.oid = setrole
  join pg_database on pg_database.oid = setdatabase
  where datname = $1`;

/** The search paths, which belong to roles in a database and are not copied with it. */
async function copyRoleSettings(client: Client, template: string, name: string): Promise<void> {
  const { rows } = await client.query<{ readonly role: string; readonly setting: string }>(roleSettings, [template]);
  for (const { role, setting } of rows) await client.query(`alter role ${role} in database ${name} set ${setting}`);
}

/** Gets its name when it is complete, so that a run that was killed meanwhile leaves no incomplete template. */
async function makeTemplate(serverUrl: string, name: string, { internalSecret, schemas }: Contents): Promise<void> {
  const draft = `${name}_draft`;
  await runAsAdmin(serverUrl, `drop database if exists ${draft} with (force)`);
  await runAsAdmin(serverUrl, `create database ${draft}`);
  const adminUrl = withDatabase(serverUrl, draft);
  for (const schema of schemas) await migrateDatabase({ ...schema, adminUrl, internalSecret, log: silentLog });
  await runAsAdmin(serverUrl, `alter database ${draft} rename to ${name}`);
}

function hashOf(schemas: readonly MigratedSchema[]): string {
  const hash = createHash('sha256');
  for (const { service, migrations } of schemas)
    for (const file of migrations.flatMap(listFiles)) hash.update(`${service} ${file}\n`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name));
}
