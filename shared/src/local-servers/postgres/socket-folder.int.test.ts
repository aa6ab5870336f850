import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from './index.js';
import { overTcp, placeOfServer, run, socketFolderOf } from './testing/statements.js';

/** What every system takes. */
const longestPath = 103;
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) removeEmbeddedPostgres(folder);
});

function aDataDir(name = 'postgres'): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-socket-'));
  const dataDir = path.join(folder, name);
  folders.push(dataDir, folder);
  return dataDir;
}

describe('the embedded server', () => {
  it('is reached through its socket, and over TCP by whoever does not know of it', async () => {
    const server = await startEmbeddedPostgres({ dataDir: aDataDir() });
    const places = [await run(server.url, placeOfServer), await run(overTcp(server.url), placeOfServer)];
    await server.stop();
    expect(places).toEqual([[{ place: null }], [{ place: '127.0.0.1' }]]);
  });

  it.each([
    ['through its socket', (url: string) => url],
    ['over TCP', overTcp],
  ])('lets nobody in without the password %s', async (_, way) => {
    const server = await startEmbeddedPostgres({ dataDir: aDataDir() });
    const wrong = new URL(way(server.url));
    wrong.password = 'guess';
    await expect(run(wrong.toString(), 'select 1')).rejects.toThrow(/password authentication failed/);
    await server.stop();
  });

  it('keeps its socket where only its own account can reach it, and takes it away', async () => {
    const dataDir = aDataDir();
    const server = await startEmbeddedPostgres({ dataDir });
    const folder = statSync(socketFolderOf(dataDir));
    const socket = statSync(path.join(socketFolderOf(dataDir), `.s.PGSQL.${server.port}`));
    await server.stop();
    expect([folder.mode & 0o777, socket.mode & 0o777]).toEqual([0o700, 0o700]);
    expect(folder.uid).toBe(statSync(path.join(dataDir, 'data')).uid);
    expect(readdirSync(socketFolderOf(dataDir))).toEqual([]);
  });

  it('finds its socket below a folder of any name', async () => {
    const dataDir = aDataDir(`a "b", c+d%20ä's`);
    const server = await startEmbeddedPostgres({ dataDir });
    const rows = await run(server.url, placeOfServer);
    await server.stop();
    expect(rows).toEqual([{ place: null }]);
  });

  it('is reached over TCP, and says so, where the path of a socket is too long', async () => {
    const longest = await startBelow(longestPath);
    const tooLong = await startBelow(longestPath + 1);
    expect(longest).toEqual({ rows: [{ place: null }], told: [] });
    expect(tooLong).toEqual({
      rows: [{ place: '127.0.0.1' }],
      told: [expect.stringMatching(/^reaching the database over TCP, because .*its path is too long/)],
    });
  });

  it('is reached over TCP where there can be no socket', async () => {
    const dataDir = aDataDir();
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(socketFolderOf(dataDir), 'a file');
    const server = await startEmbeddedPostgres({ dataDir });
    const rows = await run(server.url, placeOfServer);
    await server.stop();
    expect(rows).toEqual([{ place: '127.0.0.1' }]);
  });
});

/** In a data folder whose name makes the path of its socket so long. */
async function startBelow(pathLength: number): Promise<{ readonly rows: readonly unknown[]; readonly told: readonly string[] }> {
  const shortest = path.join(socketFolderOf(aDataDir('x')), '.s.PGSQL.65535').length;
  const told: string[] = [];
  const dataDir = aDataDir('x'.repeat(1 + pathLength - shortest));
  const server = await startEmbeddedPostgres({ dataDir, onProgress: (fact) => told.push(fact) });
  const rows = await run(server.url, placeOfServer);
  await server.stop();
  return { rows, told: told.filter((fact) => fact.includes('TCP')) };
}
