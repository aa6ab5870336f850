import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { eventually } from '@holdfast/testing/eventually';
import { copyCluster, readPassword, removeEmbeddedPostgres, restoreCluster, startEmbeddedPostgres } from './index.js';

jest.setTimeout(180_000);

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-copy-cluster-'));
const [original, copy, restored] = ['original', 'copy', 'restored'].map((name) => path.join(folder, name)) as [
  string,
  string,
  string,
];

afterAll(async () => {
  for (const dataDir of [original, restored, folder]) await eventually(() => removeEmbeddedPostgres(dataDir));
});

async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Commits row after row until it is stopped. The write-ahead log changes its file and checkpoints pass meanwhile. */
function startWriter(url: string) {
  let isStopped = false;
  let committed = 0;
  const ended = connected(url, async (client) => {
    while (!isStopped) {
      await client.query(`insert into rows (id, filling) select $1, repeat('x', 100000)`, [committed + 1]);
      committed += 1;
      if (committed % 40 === 0) await client.query('checkpoint');
      if (committed % 25 === 0) await client.query('select pg_switch_wal()');
    }
  });
  return {
    committed: () => committed,
    stop: async () => {
      isStopped = true;
      await ended;
    },
  };
}

describe('a copy of a running cluster', () => {
  it('has every row that was committed before it began, and none without those before it', async () => {
    const server = await startEmbeddedPostgres({ dataDir: original });
    await connected(server.url, (client) => client.query('create table rows (id bigint primary key, filling text not null)'));
    const writer = startWriter(server.url);
    await eventually(() => expect(writer.committed()).toBeGreaterThan(10));
    const before = writer.committed();
    await copyCluster(server.url, copy);
    const after = writer.committed() + 1;
    await writer.stop();
    const slots = await connected(server.url, (client) => client.query('select from pg_replication_slots'));
    expect(slots.rowCount).toBe(0);
    await server.stop();
    expect(statSync(path.join(copy, 'PG_VERSION')).mode & 0o077).toBe(0);
    expect(readFileSync(path.join(copy, 'backup_label'), 'utf8')).toContain('START WAL LOCATION');

    await restoreCluster({
      dataDir: restored,
      source: copy,
      password: readPassword(original) ?? '',
      onProgress: () => undefined,
    });
    const second = await startEmbeddedPostgres({ dataDir: restored });
    const { rows } = await connected(second.url, (client) =>
      client.query<{ count: number; last: number }>('select count(*)::int as count, max(id)::int as last from rows'),
    );
    await second.stop();
    expect(rows[0]?.count).toBe(rows[0]?.last);
    expect(rows[0]?.count).toBeGreaterThanOrEqual(before);
    expect(rows[0]?.count).toBeLessThanOrEqual(after);
  });

  it('is never put in the place of another cluster', async () => {
    const again = restoreCluster({ dataDir: restored, source: copy, password: 'another', onProgress: () => undefined });
    await expect(again).rejects.toThrow(/There is a database in .* already\. Nothing was changed in it/);
  });
});
