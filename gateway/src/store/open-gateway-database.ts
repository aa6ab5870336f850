import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Clock, Log } from '@holdfast/shared/context';
import { isAppError } from '@holdfast/shared/errors';
import { openDatabase, type Database } from '@holdfast/shared/postgres';

export type GatewayDatabase = {
  /** The administrator's URL, or that of the gateway's own role. */
  readonly adminUrl: string;
  readonly poolMax: number;
  /** How long a database that does not answer yet is waited for. */
  readonly databaseWaitMs?: number;
};

type Options = GatewayDatabase & {
  readonly internalSecret: string;
  readonly log: Log;
  readonly clock: Pick<Clock, 'epochMs'>;
};

const service = 'gateway';
const openRetryMs = 1_000;

/** The gateway's own schema, up to date. */
export async function openGatewayDatabase(options: Options): Promise<Database> {
  const { adminUrl, poolMax, databaseWaitMs = 0, internalSecret, log, clock } = options;
  const deadline = clock.epochMs() + databaseWaitMs;
  const migrations = [fileURLToPath(new URL('../../migrations', import.meta.url))];
  for (;;) {
    try {
      return await openDatabase({ adminUrl, service, internalSecret, migrations, poolMax, log });
    } catch (error) {
      if (!isAppError(error, 'SERVICE_UNAVAILABLE') || clock.epochMs() >= deadline) throw error;
      log.warn({ error: error.cause }, 'the database does not answer yet');
      await pause(openRetryMs);
    }
  }
}
