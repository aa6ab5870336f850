import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { migrateDatabase } from '@holdfast/postgres';
import { silentLog } from '../log/index.js';
import { runAsAdmin, withDatabase } from './run-as-admin.js';

/** The schema of a service after all migrations of these folders. */
export type MigratedSchema = { readonly service: string; readonly migrations: readonly string[] };

/**
 * The name of a database with these schemas, from which test databases are copied. The first test file of a run that needs it makes
 * it, and the others wait meanwhile: a copy takes a tenth of the time that the migrations take.
 */
export async function migratedTemplate(
  serverUrl: string,
  internalSecret: string,
  schemas: readonly MigratedSchema[],
): Promise<string> {
  const name = `template_${hashOf(schemas)}`;
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]); // released with the connection
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await makeTemplate(serverUrl, internalSecret, { name, schemas });
    return name;
  } finally {
    await client.end();
  }
}

type Template = { readonly name: string; readonly schemas: readonly MigratedSchema[] };

/** Gets its name when it is complete, so that a run that was killed meanwhile leaves no incomplete template. */
async function makeTemplate(serverUrl: string, internalSecret: string, { name, schemas }: Template): Promise<void> {
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
