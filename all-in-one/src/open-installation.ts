import { existsSync } from 'node:fs';
import { systemClock } from '@holdfast/kernel/context';
import type { CommandSettings } from './command-settings.js';
import { CannotStart, findRunning, isMarked, openDataFolder, readSecret, type RunningInstallation } from './data-folder/index.js';
import { productVersion } from './product.js';
import type { Progress } from './progress.js';

/** The servers of an installation that a command works on, running or not. */
export type Installation = {
  /** Names the installation in the first line of a command's output. */
  readonly title: string;
  readonly databaseUrl: string;
  /** Undefined where messages stay within the process. */
  readonly amqpUrl: string | undefined;
  readonly internalSecret: string;
  /** Stops the servers that were started for the command; those that ran before stay. */
  readonly close: () => Promise<void>;
};

/** The given servers, else the servers of the platform that runs on the data folder, else the folder's Postgres, started for the command. */
export async function openInstallation(config: CommandSettings, onProgress: Progress): Promise<Installation> {
  const { holdfastDataDir: dataDir, databaseUrl, amqpUrl } = config;
  const running = existsSync(dataDir) ? findRunning(dataDir) : undefined;
  if (databaseUrl !== undefined) {
    const title = `the installation on ${new URL(databaseUrl).host}`;
    return { title, databaseUrl, amqpUrl, internalSecret: secretOf(config), close: () => Promise.resolve() };
  }
  if (running !== undefined) return attach(config, running);
  return startDatabase(config, onProgress);
}

function attach(config: CommandSettings, { pid, databaseUrl, amqpUrl }: RunningInstallation): Installation {
  const dataDir = config.holdfastDataDir;
  if (databaseUrl === undefined) throw new CannotStart(`Process ${pid} is busy with ${dataDir}: try again in a few seconds.`);
  return {
    title: `the installation in ${dataDir}, which is running (process ${pid})`,
    databaseUrl,
    amqpUrl: config.amqpUrl ?? amqpUrl,
    internalSecret: secretOf(config),
    close: () => Promise.resolve(),
  };
}

async function startDatabase(config: CommandSettings, onProgress: Progress): Promise<Installation> {
  const dataDir = config.holdfastDataDir;
  const internalSecret = secretOf(config);
  const folder = await openDataFolder({ dataDir, mode: 'command', version: productVersion, clock: systemClock() });
  try {
    // Loaded on demand: the operator image has no server to start, and its commands are given one.
    const { startEmbeddedPostgres } = await import('@holdfast/dev-servers/postgres');
    const server = await startEmbeddedPostgres({ dataDir: folder.postgres, onProgress });
    const close = async (): Promise<void> => {
      await server.stop();
      folder.lock.release();
    };
    const title = `the installation in ${dataDir}, which is not running`;
    return { title, databaseUrl: server.url, amqpUrl: config.amqpUrl, internalSecret, close };
  } catch (error) {
    folder.lock.release();
    throw error;
  }
}

/** INTERNAL_SECRET, else the one in the data folder. A command never generates one. */
export function secretOf({ internalSecret, holdfastDataDir: dataDir, databaseUrl }: CommandSettings): string {
  const secret = internalSecret ?? (isMarked(dataDir) ? readSecret(dataDir, 'internalSecret') : undefined);
  if (secret !== undefined) return secret;
  throw new CannotStart(
    databaseUrl === undefined
      ? `There is no installation in ${dataDir}: set HOLDFAST_DATA_DIR, or DATABASE_URL and INTERNAL_SECRET.`
      : `INTERNAL_SECRET is missing, and there is none in ${dataDir}: it is needed to log in to the database.`,
  );
}
