import path from 'node:path';
import { isAppError } from '@holdfast/kernel/errors';
import { startEmbeddedPostgres } from '@holdfast/dev-servers/postgres';
import { CannotStart } from './data-folder/index.js';
import type { StartupContext } from './startup-context.js';

export type ProvidedDatabase = {
  /** The URL with the administrator's login. */
  readonly url: string;
  /** What the data folder holds of it, for the banner. */
  readonly kept: readonly string[];
};

/** The server of DATABASE_URL, or an embedded one that stops with this process. */
export async function provideDatabase({ config, folder, lifecycle, onProgress }: StartupContext): Promise<ProvidedDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, kept: [] };
  const starting = startEmbeddedPostgres({ dataDir: folder.postgres, onProgress });
  // A stop during the start waits for it, so that no server outlives this process.
  lifecycle.onStop('embedded database', () =>
    starting.then(
      ({ stop }) => stop(),
      () => undefined,
    ),
  );
  const { url, cluster } = await starting;
  lifecycle.signal.throwIfAborted();
  const isElsewhere = path.relative(folder.path, cluster).startsWith('..');
  return { url, kept: [isElsewhere ? `the location of the database (${cluster})` : 'the database'] };
}

/** Runs `work`, and explains a database server that is not reachable. */
export async function withDatabase<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error, 'SERVICE_UNAVAILABLE')) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : 'it gave no reason';
    throw new CannotStart(
      `Postgres at ${hostOf(databaseUrl)} is not reachable (${reason}): is it running, and is DATABASE_URL right?`,
      {
        cause: error,
      },
    );
  }
}

/** Host and port, without the login. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
