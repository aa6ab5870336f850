import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@holdfast/kernel/context';
import { CannotStart } from './cannot-start.js';
import { findRunning } from './folder-lock.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { identityOf } from './process-identity.js';
import { loadSecrets } from './secrets.js';
import { dataVersion, markerName } from './version.js';

const clock = systemClock();
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'holdfast-data-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function open(name = 'data', version = '1.2.3'): Promise<DataFolder> {
  return openDataFolder({ dataDir: path.join(parent, name), mode: 'all-in-one', version, clock });
}

async function openAndLeave(version: string): Promise<string> {
  const folder = await open('data', version);
  folder.lock.release();
  return folder.path;
}

/** A ticket as a process would leave it that cannot take it back any more. */
function leaveTicket(dataDir: string, ticket: { readonly pid: number; readonly identity: string }): void {
  const text = JSON.stringify({ ...ticket, takenAtMs: 1, mode: 'all-in-one' });
  writeFileSync(path.join(dataDir, `running-${ticket.pid}-0badcafe.json`), text);
}

async function aDeadProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('a data folder', () => {
  it('is created with its parents, without access for other users', async () => {
    const folder = await open('deep/down/data');
    expect(statSync(folder.path).mode & 0o066).toBe(0);
    expect(JSON.parse(readFileSync(path.join(folder.path, markerName), 'utf8'))).toEqual({
      product: 'holdfast',
      version: '1.2.3',
      dataVersion,
    });
  });

  it('is locked by one process at a time', async () => {
    const folder = await open();
    folder.lock.update({ baseUrl: 'http://127.0.0.1:1/api/v1' });
    await expect(open()).rejects.toThrow(
      `Another Holdfast (process ${process.pid}) is running on ${folder.path} at http://127.0.0.1:1/api/v1`,
    );
    folder.lock.release();
    await expect(open()).resolves.toMatchObject({ path: folder.path });
  });

  it('is locked by exactly one of several concurrent starts', async () => {
    const outcomes = await Promise.allSettled([open(), open(), open(), open()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is unlocked once its process has ended, however it ended', async () => {
    const dataDir = await openAndLeave('1.2.3');
    leaveTicket(dataDir, { pid: await aDeadProcess(), identity: 'whatever' });
    expect(findRunning(dataDir)).toBeUndefined();
    const folder = await open();
    expect(readdirSync(folder.path)).toHaveLength(2);
  });

  it('is unlocked when another process has got the process id of the lock file', async () => {
    const dataDir = await openAndLeave('1.2.3');
    leaveTicket(dataDir, { pid: process.ppid, identity: `not ${identityOf(process.ppid) ?? ''}` });
    await expect(open()).resolves.toBeDefined();
  });

  it('names the running process and its addresses', async () => {
    const folder = await open();
    folder.lock.update({ baseUrl: 'http://127.0.0.1:1', databaseUrl: 'postgres://there' });
    expect(findRunning(folder.path)).toMatchObject({
      pid: process.pid,
      baseUrl: 'http://127.0.0.1:1',
      databaseUrl: 'postgres://there',
    });
  });

  it.each(['0.9.9', '1.2.2', '1.2.3'])('of version %s may be used by 1.2.3', async (version) => {
    await openAndLeave(version);
    await expect(openAndLeave('1.2.3')).resolves.toBeDefined();
  });

  it.each(['1.2.4', '1.10.0', '2.0.0'])('of version %s is refused by 1.2.3 and stays unchanged', async (version) => {
    await openAndLeave(version);
    await expect(open()).rejects.toThrow(`were last used by Holdfast ${version}, and this is 1.2.3`);
    await expect(openAndLeave(version)).resolves.toBeDefined();
  });

  it('of an older data version is refused with how to keep or delete it, and stays unchanged', async () => {
    await openAndLeave('1.2.3');
    const marker = path.join(parent, 'data', markerName);
    const older = JSON.stringify({ product: 'holdfast', version: '1.2.3' });
    writeFileSync(marker, older);
    await expect(open()).rejects.toThrow(/older form 1, .*Nothing was changed.*HOLDFAST_DATA_DIR.*npm run reset/);
    expect(readFileSync(marker, 'utf8')).toBe(older);
  });

  it('is refused in a folder with foreign files', async () => {
    mkdirSync(path.join(parent, 'data'));
    writeFileSync(path.join(parent, 'data', 'thesis.txt'), 'my work');
    await expect(open()).rejects.toThrow("holds files that are not Holdfast's (thesis.txt)");
    expect(readdirSync(path.join(parent, 'data'))).toEqual(['thesis.txt']);
  });

  it.each([
    ['a file', 'file'],
    ['below a file', 'file/data'],
  ])('that would be %s is refused with a sentence', async (_, name) => {
    writeFileSync(path.join(parent, 'file'), '');
    await expect(open(name)).rejects.toThrow(
      /cannot be written to \((EEXIST|ENOTDIR)\): choose another one with HOLDFAST_DATA_DIR/,
    );
    await expect(open(name)).rejects.toBeInstanceOf(CannotStart);
  });

  it('is refused with a sentence where it cannot be created', async () => {
    const place = { dataDir: '/proc/holdfast/data', mode: 'all-in-one', version: '1.2.3', clock } as const;
    await expect(openDataFolder(place)).rejects.toThrow('The data folder /proc/holdfast/data cannot be written to');
  });
});

describe('the secrets', () => {
  it('are generated once, readable by the owner only', async () => {
    const dataDir = await openAndLeave('1.2.3');
    const made = await loadSecrets(dataDir, {});
    expect(made.masterKey).toMatch(/^hk_master_[\w-]{43}$/);
    expect(made.internalSecret).toMatch(/^[\w-]{43}$/);
    expect(made.treasurySeed).toMatch(/^S[A-Z2-7]{55}$/);
    expect(await loadSecrets(dataDir, {})).toEqual(made);
    for (const name of ['master-key', 'internal-secret', 'wallet-master-key', 'treasury-seed'])
      expect(statSync(path.join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  it('are not stored when the environment has them', async () => {
    const dataDir = await openAndLeave('1.2.3');
    const given = {
      masterKey: 'one',
      internalSecret: 'two',
      walletMasterKey: 'three',
      treasurySeed: 'four',
      platformSeed: 'five',
      escrowWebhookSecret: 'six',
      paymentWebhookSecret: 'seven',
    };
    expect(await loadSecrets(dataDir, given)).toEqual(given);
    expect(readdirSync(dataDir)).toEqual([markerName]);
  });

  it('are not generated again when a file is empty', async () => {
    const dataDir = await openAndLeave('1.2.3');
    writeFileSync(path.join(dataDir, 'master-key'), '');
    await expect(loadSecrets(dataDir, {})).rejects.toThrow('is empty');
  });
});
