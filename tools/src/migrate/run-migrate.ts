import { retry } from '@holdfast/kernel/async';
import { isAppError } from '@holdfast/kernel/errors';
import { createLog } from '@holdfast/observability';
import { migrateDatabase } from '@holdfast/postgres';
import type { MigrateSettings } from './config.js';
import { schemas, type Schema } from './schemas.js';

type Output = Pick<Console, 'log' | 'error'>;

const labelWidth = 16;
/** A database that starts at the same time needs some seconds. */
const attempts = { attemptsMax: 30, firstDelayMs: 1_000, delayMsMax: 1_000 } as const;

/** Migrates the named schemas, all by default, and prints what it did. Returns the exit code. */
export async function runMigrate(settings: MigrateSettings, names: readonly string[], output: Output): Promise<number> {
  const unknown = names.find((name) => !schemas.some(({ service }) => service === name));
  if (unknown !== undefined) {
    const known = schemas.map(({ service }) => service).join(', ');
    output.error(`There is no schema of "${unknown}". Use: npm run migrate [-- <name>…], where <name> is one of ${known}.`);
    return 1;
  }
  const chosen = names.length === 0 ? schemas : schemas.filter(({ service }) => names.includes(service));
  let count = 0;
  for (const schema of chosen) {
    const applied = await migrate(settings, schema, output).catch((error: unknown) => {
      output.error(`${labelOf(schema)}failed: ${reasonOf(error)}`);
    });
    if (applied === undefined) return 1;
    count += applied.length;
    output.log(`${labelOf(schema)}${applied.length === 0 ? 'is up to date' : `applied ${applied.join(', ')}`}`);
  }
  output.log(count === 0 ? 'Nothing to do.' : `Applied ${count} migrations.`);
  return 0;
}

function migrate({ databaseUrl, internalSecret }: MigrateSettings, schema: Schema, output: Output): Promise<readonly string[]> {
  const log = createLog({ service: 'migrate', level: 'warn', pretty: process.stdout.isTTY });
  return retry(() => migrateDatabase({ ...schema, adminUrl: databaseUrl, internalSecret, log }), {
    ...attempts,
    shouldRetry: (error) => isAppError(error, 'SERVICE_UNAVAILABLE'),
    onRetry: (error) => output.log(`${labelOf(schema)}waits for the database: ${reasonOf(error)}`),
  });
}

function labelOf({ service }: Schema): string {
  return service.padEnd(labelWidth);
}

/** The error of the driver says more than SERVICE_UNAVAILABLE. */
function reasonOf(error: unknown): string {
  const shown = isAppError(error) && error.cause instanceof Error ? error.cause : error;
  return shown instanceof Error ? shown.message : String(shown);
}
