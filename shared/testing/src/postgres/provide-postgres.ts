import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '@holdfast/dev-servers/postgres';

type ProvidedServer = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts a server for one test run. `stop` deletes its data. */
export async function providePostgres(): Promise<ProvidedServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-test-postgres-'));
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres') });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      removeEmbeddedPostgres(folder);
    },
  };
}
