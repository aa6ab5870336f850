import { isAppError } from '@holdfast/shared/errors';
import { startEmbeddedPostgres } from '@holdfast/shared/local-servers/postgres';
import { CannotStart } from './data-folder/index.js';
import type { Stage } from './stage.js';

/** The administrator's URL of the given server, or of an embedded one that stops with us. */
export async function provideDatabase({ config, folder, lifecycle, onProgress }: Stage): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const server = await startEmbeddedPostgres({ dataDir: folder.postgres, onProgress });
  lifecycle.onStop('embedded database', server.stop);
  return server.url;
}

/** Work that needs the database, with words for a server that does not answer. */
export async function withDatabase<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error, 'SERVICE_UNAVAILABLE')) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : 'it gave no reason';
    throw new CannotStart(
      `Postgres at ${placeOf(databaseUrl)} does not answer (${reason}): is it running, and is DATABASE_URL right?`,
      {
        cause: error,
      },
    );
  }
}

/** Host and port, and never the login. */
export function placeOf(url: string): string {
  return new URL(url).host;
}
