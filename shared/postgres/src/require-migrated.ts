import { Client } from 'pg';
import { AppError } from '@holdfast/kernel/errors';
import { assertSchemaVersion } from './assert-schema-version.js';
import { connectionConfig, type ConnectionOptions } from './data-source.js';
import { readApplied, readMigrations } from './migrations.js';
import { appRoleOf, schemaOf } from './provision-roles.js';
import { codeOf } from './sql-state.js';

type Required = { readonly service: string; readonly migrations: readonly string[] };

/** The role is unknown, its password differs, or it may not log in. */
const refusedLoginCodes: ReadonlySet<string> = new Set(['28P01', '28000', '42501']);
const remedy = 'Run "npm run migrate" of this version with the same INTERNAL_SECRET, or set MIGRATE_AT_START=true.';

/** SERVICE_UNAVAILABLE until a migration job has brought the schema to this version, so that a process that starts before it waits. */
export async function requireMigrated(connection: ConnectionOptions, { service, migrations }: Required): Promise<void> {
  const applied = await readAppliedAs(connection, service);
  const { missing } = assertSchemaVersion(applied, readMigrations(migrations));
  const [first] = missing;
  if (first !== undefined)
    throw notMigrated(`The schema ${schemaOf(service)} lacks ${missing.length} migrations; ${first} is the first.`);
}

async function readAppliedAs(connection: ConnectionOptions, service: string): Promise<readonly string[]> {
  const client = new Client(connectionConfig(connection));
  client.on('error', () => undefined); // The running statement reports the error.
  try {
    await client.connect();
    return await readApplied(client);
  } catch (error) {
    if (refusedLoginCodes.has(codeOf(error) ?? '')) throw notMigrated(`The role ${appRoleOf(service)} cannot log in.`, error);
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function notMigrated(fact: string, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error(`${fact} ${remedy}`, { cause }) });
}
