import path from 'node:path';
import { isAppError } from '@holdfast/kernel/errors';
import { startEmbeddedPostgres } from '@holdfast/dev-servers/postgres';
import { CannotStart } from './data-folder/index.js';
import type { StartupContext } from './startup-context.js';

export type ProvidedDatabase = {
  /** The administrator's. */
  readonly url: string;
  /** What of it we keep, in words. */
  readonly kept: readonly string[];
};

/** The given server, or an embedded one that stops with us. */
export async function provideDatabase({ config, folder, lifecycle, onProgress }: StartupContext): Promise<ProvidedDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, kept: [] };
  const { url, cluster, stop } = await startEmbeddedPostgres({ dataDir: folder.postgres, onProgress });
  lifecycle.onStop('embedded database', stop);
  const isElsewhere = path.relative(folder.path, cluster).startsWith('..');
  return { url, kept: [isElsewhere ? `the way to the database (${cluster})` : 'the database'] };
}

/** Work that needs the database, with words for a server that does not answer. */
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

/** Host and port, and never the login. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
