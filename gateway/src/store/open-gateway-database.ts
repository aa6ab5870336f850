import { fileURLToPath } from 'node:url';
import { retry } from '@holdfast/kernel/async';
import type { Clock, Log } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import { openDatabase, type Database } from '@holdfast/postgres';
import { entities } from './schema.js';

export type GatewayDatabase = {
  /** URL of an administrator, or of the gateway's own role. */
  readonly adminUrl: string;
  readonly poolMax: number;
  /** Whether the gateway creates its schema and migrates it; else it waits until that was done. Default: true. */
  readonly migrateAtStart?: boolean;
  /** How long to retry while the database is not reachable yet. */
  readonly databaseWaitMs?: number;
};

type Options = GatewayDatabase & {
  readonly internalSecret: string;
  readonly log: Log;
  readonly clock: Pick<Clock, 'epochMs'>;
};

const service = 'gateway';

export const gatewayMigrations: readonly string[] = [fileURLToPath(new URL('../../migrations', import.meta.url))];

const openRetries = { attemptsMax: Number.POSITIVE_INFINITY, firstDelayMs: 500, delayMsMax: 1_000 } as const;

/** Opens the gateway's schema and runs its migrations. */
export function openGatewayDatabase(options: Options): Promise<Database> {
  const { adminUrl, poolMax, migrateAtStart = true, databaseWaitMs = 0, internalSecret, log, clock } = options;
  const deadline = clock.epochMs() + databaseWaitMs;
  const access = { adminUrl, service, internalSecret, poolMax };
  const open = (): Promise<Database> => openDatabase({ ...access, migrations: gatewayMigrations, migrateAtStart, entities, log });
  return retry(open, {
    ...openRetries,
    shouldRetry: (error) => isAppError(error, 'SERVICE_UNAVAILABLE') && clock.epochMs() < deadline,
    onRetry: (error) => log.warn({ error }, 'the database is not ready yet'),
  });
}
