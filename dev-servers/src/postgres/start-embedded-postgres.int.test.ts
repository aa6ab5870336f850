import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { builtFile } from '@holdfast/testing/built-file';
import { eventually } from '@holdfast/testing/eventually';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from './index.js';
import { isRunning, readIfExists } from './processes.js';

type HoldServerOutput = {
  readonly url: string;
  readonly port: number;
  readonly progress: readonly string[];
  readonly failure?: string;
};
type Holder = HoldServerOutput & { readonly child: ChildProcess };

const isRoot = process.getuid?.() === 0;
const ordinaryUid = 65_534;
const folders: string[] = [];
const children: ChildProcess[] = [];

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) await eventually(() => removeEmbeddedPostgres(folder));
});

function aDataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-embedded-'));
  folders.push(path.join(folder, 'postgres'), folder);
  return path.join(folder, 'postgres');
}

/** Starts a server in a separate process. */
async function hold(dataDir: string, options: { readonly uid?: number } = {}): Promise<Holder> {
  const program = builtFile(new URL('testing/hold-server.ts', import.meta.url));
  const child = spawn(process.execPath, [program, dataDir], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { ...(JSON.parse(line) as HoldServerOutput), child };
}

async function run<Row>(url: string, sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows as readonly Row[];
}

/** Most tests use the cluster that the first one makes. */
const dataDir = aDataDir();

describe('startEmbeddedPostgres', () => {
  it('has the committed data after a restart', async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    await run(first.url, 'create table stored as select 42 as value');
    await first.stop();

    const second = await startEmbeddedPostgres({ dataDir });
    const rows = await run(second.url, 'select value from stored');
    await second.stop();

    expect(rows).toEqual([{ value: 42 }]);
    expect(statSync(path.join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'data')).mode & 0o777).toBe(0o700);
  });

  it('is durable, listens on 127.0.0.1 only and requires the password', async () => {
    const server = await startEmbeddedPostgres({ dataDir });
    const settings = await run<{ name: string; setting: string }>(
      server.url,
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories') order by name`,
    );
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await expect(run(wrong.toString(), 'select 1')).rejects.toThrow(/password authentication failed/);
    await server.stop();
    expect(settings.map((row) => row.setting)).toEqual(['on', 'on', '127.0.0.1', 'on', '']);
  });

  it('has the committed data when it starts after SIGKILL of the owner', async () => {
    const first = await hold(dataDir);
    await run(first.url, 'create table kept_by_server as select 42 as value');
    first.child.kill('SIGKILL');

    const second = await startEmbeddedPostgres({ dataDir });
    const rows = await run(second.url, 'select value from kept_by_server');
    await second.stop();

    expect(rows).toEqual([{ value: 42 }]);
  });

  it('stops the server after SIGKILL of the owner', async () => {
    const first = await hold(dataDir);
    const postmaster = postmasterOf(dataDir);
    first.child.kill('SIGKILL');
    await eventually(() => expect(existsSync(path.join(dataDir, 'data', 'postmaster.pid'))).toBe(false));
    await eventually(() => expect(isRunning(postmaster)).toBe(false));
  });

  it('recovers after SIGKILL of the owner and the server', async () => {
    const first = await hold(dataDir);
    await run(first.url, 'create table kept_by_nobody as select 42 as value');
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    first.child.kill('SIGKILL');

    const second = await startEmbeddedPostgres({ dataDir });
    const rows = await run(second.url, 'select value from kept_by_nobody');
    await second.stop();
    expect(rows).toEqual([{ value: 42 }]);
  });

  it('restarts a killed server on the same port', async () => {
    const progress: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, onProgress: (fact) => progress.push(fact) });
    await run(server.url, 'create table kept_by_owner as select 42 as value');
    process.kill(postmasterOf(dataDir), 'SIGKILL');

    const rows = await eventually(() => run(server.url, 'select value from kept_by_owner'));
    await server.stop();

    expect(rows).toEqual([{ value: 42 }]);
    expect(progress).toContain('the database server ended unexpectedly; starting it again');
    await expect(run(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('ignores a lock file whose pid belongs to another program', async () => {
    writeFileSync(path.join(dataDir, 'data', 'postmaster.pid'), `${process.pid}\n`);
    const server = await startEmbeddedPostgres({ dataDir });
    await server.stop();
  });

  it('removes the temporary folder of a start that crashed during initdb', async () => {
    const dataDir = aDataDir();
    mkdirSync(path.join(dataDir, 'making-999999999-abc', 'data'), { recursive: true });
    const server = await startEmbeddedPostgres({ dataDir });
    await server.stop();
    expect(readdirSync(dataDir).filter((name) => name.startsWith('making-'))).toEqual([]);
  });
});

describe('startEmbeddedPostgres refuses', () => {
  it('a folder that another Holdfast uses, without disturbing it', async () => {
    const first = await hold(dataDir);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      `Another Holdfast (process ${first.child.pid}) is running on ${dataDir}`,
    );
    await expect(run(first.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
    first.child.kill('SIGKILL');
  });

  it('a folder with an orphaned server, naming its pid', async () => {
    const first = await hold(dataDir);
    const postmaster = postmasterOf(dataDir);
    // All guardians are stopped before the first is killed, because the others would shut the server down.
    const guardians = guardiansOf(postmaster);
    for (const signal of ['SIGSTOP', 'SIGKILL']) for (const guardian of guardians) process.kill(guardian, signal);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const started = startEmbeddedPostgres({ dataDir, oldServerTimeoutMs: 500 });
    const failure = await started.catch((error: unknown) => String(error));
    process.kill(postmaster, 'SIGINT');

    expect(failure).toContain(`Process ${postmaster} still holds`);
    await eventually(() => expect(existsSync(path.join(dataDir, 'data', 'postmaster.pid'))).toBe(false));
  });

  it('a folder that is not writable', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'holdfast-embedded-')), 'file');
    writeFileSync(file, '');
    await expect(startEmbeddedPostgres({ dataDir: path.join(file, 'postgres') })).rejects.toThrow(
      /cannot be written to \(ENOTDIR\)/,
    );
  });

  it('data of another major version', async () => {
    const file = path.join(dataDir, 'data', 'PG_VERSION');
    const version = readFileSync(file);
    writeFileSync(file, '17\n');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/belong to Postgres 17/);
    writeFileSync(file, version);
  });

  it('data whose password file is missing', async () => {
    const file = path.join(dataDir, 'password');
    renameSync(file, `${file}-elsewhere`);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/password is missing/);
    renameSync(`${file}-elsewhere`, file);
  });
});

if (isRoot)
  describe('startEmbeddedPostgres, run by root', () => {
    it('runs the server as another user', async () => {
      const server = await startEmbeddedPostgres({ dataDir });
      expect(statSync(path.join(dataDir, 'data')).uid).not.toBe(0);
      await server.stop();
    });

    it('stores the data in the public folder when only root may enter the data folder, and finds them again', async () => {
      const dataDir = aDataDir();
      const inner = path.join(dataDir, 'closed', 'inner', 'postgres');
      mkdirSync(path.dirname(inner), { recursive: true });
      chmodSync(path.dirname(dataDir), 0o711);
      chmodSync(path.join(dataDir, 'closed'), 0o700);
      folders.unshift(inner);

      const progress: string[] = [];
      const first = await startEmbeddedPostgres({ dataDir: inner, onProgress: (fact) => progress.push(fact) });
      await run(first.url, 'create table stored as select 42 as value');
      await first.stop();
      const second = await startEmbeddedPostgres({ dataDir: inner });
      const rows = await run(second.url, 'select value from stored');
      await second.stop();

      expect(rows).toEqual([{ value: 42 }]);
      expect(progress).toContainEqual(expect.stringContaining(`only root may enter ${path.join(dataDir, 'closed')}`));
    });

    it('runs the server of an ordinary user as that user', async () => {
      const dataDir = aDataDir();
      chownSync(path.dirname(dataDir), ordinaryUid, ordinaryUid);
      const holder = await hold(dataDir, { uid: ordinaryUid });
      expect(holder.failure).toBeUndefined();
      await expect(run(holder.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
      expect(statSync(path.join(dataDir, 'data')).uid).toBe(ordinaryUid);
      holder.child.kill('SIGKILL');
    });

    it('fails for an ordinary user with the reason when the folder is not writable', async () => {
      const holder = await hold(aDataDir(), { uid: ordinaryUid });
      expect(holder.failure).toMatch(/cannot be written to \(EACCES\)/);
    });
  });

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(path.join(dataDir, 'data', 'postmaster.pid'), 'utf8'), 10);
}

/** The processes of the server's process group except the server itself. */
function guardiansOf(postmaster: number): readonly number[] {
  const group = groupOf(postmaster.toString()).group;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => groupOf(name).group === group && groupOf(name).command !== 'postgres')
    .map(Number);
}

function groupOf(pid: string): { readonly command: string | undefined; readonly group: string | undefined } {
  const [, command, group] = /^\d+ \((.*)\) \S+ \d+ (\d+)/.exec(readIfExists(`/proc/${pid}/stat`)) ?? [];
  return { command, group };
}
