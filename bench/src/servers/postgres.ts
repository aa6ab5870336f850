import path from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '@holdfast/dev-servers/postgres';

/** A server that commits as durably as a production one would. */
export type DurablePostgres = {
  readonly url: string;
  readonly version: string;
  /** Makes another database on the same server and returns its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

type Durability = { readonly version: string; readonly fsync: string; readonly synchronous_commit: string };

const readDurability = `
  select
    current_setting('server_version') as version,
    current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit`;

export async function startDurablePostgres(folder: string, onProgress: (fact: string) => void): Promise<DurablePostgres> {
  const dataDir = path.join(folder, 'postgres');
  const server = await startEmbeddedPostgres({ dataDir, onProgress });
  const admin = new Client({ connectionString: server.url });
  await admin.connect();
  const stop = async (): Promise<void> => {
    await admin.end();
    await server.stop();
    removeEmbeddedPostgres(dataDir);
  };
  const { rows } = await admin.query<Durability>(readDurability);
  const [durability] = rows;
  if (durability?.fsync !== 'on' || durability.synchronous_commit !== 'on') {
    await stop();
    throw new Error('fsync and synchronous_commit must be on: what may be lost is not worth measuring');
  }
  return {
    url: server.url,
    version: durability.version,
    createDatabase: async (name) => {
      await admin.query(`create database ${escapeIdentifier(name)}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    stop,
  };
}
