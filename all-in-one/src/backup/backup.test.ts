import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@holdfast/kernel/context';
import { CannotStart, lockFolder } from '../data-folder/index.js';
import { createBackup } from './create-backup.js';
import { readBackup, writeManifest } from './manifest.js';
import { restoreBackup } from './restore-backup.js';
import { stopPayoutsStatement } from './stop-payouts.js';

const clock = systemClock();
const deps = { clock, onProgress: () => undefined };
let parent: string;
let backup: string;
const dataDir = () => path.join(parent, 'data');

/** A folder with two files and their manifest: what is checked before anything is restored. */
beforeEach(async () => {
  parent = mkdtempSync(path.join(tmpdir(), 'holdfast-backup-'));
  backup = path.join(parent, 'backup');
  mkdirSync(path.join(backup, 'secrets'), { recursive: true });
  writeFileSync(path.join(backup, 'secrets', 'master-key'), 'hk_master_1\n');
  writeFileSync(path.join(backup, 'database-password'), 'secret');
  const database = { systemIdentifier: '1', walStart: '0/1', walStop: '0/2' };
  await writeManifest(backup, { createdAt: '2026-01-31T12:00:00.000000Z', database, missingSecrets: ['platform-seed'] });
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** Changes the manifest as a newer version would have written it. */
function rewriteManifest(change: (text: string) => string): void {
  const file = path.join(backup, 'manifest.json');
  const text = change(readFileSync(file, 'utf8'));
  writeFileSync(file, text);
  writeFileSync(`${file}.sha256`, createHash('sha256').update(text).digest('hex'));
}

describe('a backup', () => {
  it('is read with its facts and files', async () => {
    const { files, ...facts } = await readBackup(backup);
    expect(files.map((file) => file.path)).toEqual(['database-password', 'secrets/master-key']);
    expect(facts).toMatchObject({ product: 'holdfast', formatVersion: 1, missingSecrets: ['platform-seed'] });
  });

  it.each<[string, () => void, RegExp]>([
    ['a changed file', () => appendFileSync(path.join(backup, 'database-password'), 'x'), /is damaged: database-password/],
    ['a missing file', () => rmSync(path.join(backup, 'secrets', 'master-key')), /is damaged: secrets\/master-key/],
    ['a changed manifest', () => appendFileSync(path.join(backup, 'manifest.json'), ' '), /is damaged: manifest\.json/],
    ['no manifest', () => rmSync(path.join(backup, 'manifest.json')), /is not a complete backup/],
    ['a newer version', () => rewriteManifest((text) => text.replace(/"version": "[^"]*"/, '"version": "99.0.0"')), /99\.0\.0/],
    [
      'a newer format',
      () => rewriteManifest((text) => text.replace('"formatVersion": 1', '"formatVersion": 2')),
      /restore it with/,
    ],
    ['older data', () => rewriteManifest((text) => text.replace(/"dataVersion": \d+/, '"dataVersion": 1')), /older form 1/],
  ])('with %s is refused, and nothing is changed', async (_, change, words) => {
    change();
    await expect(restoreBackup(dataDir(), backup, deps)).rejects.toThrow(words);
    await expect(restoreBackup(dataDir(), backup, deps)).rejects.toThrow(CannotStart);
    expect(existsSync(dataDir())).toBe(false);
  });
});

describe('a restore', () => {
  it('is refused for a data folder that is not empty', async () => {
    mkdirSync(dataDir());
    writeFileSync(path.join(dataDir(), 'master-key'), 'kept');
    await expect(restoreBackup(dataDir(), backup, deps)).rejects.toThrow(/is not empty \(master-key\).*Nothing was changed/);
    expect(readdirSync(dataDir())).toEqual(['master-key']);
  });

  it('is refused while something runs on the data folder', async () => {
    mkdirSync(dataDir());
    const lock = await lockFolder(dataDir(), 'all-in-one', clock);
    await expect(restoreBackup(dataDir(), backup, deps)).rejects.toThrow(/is running on .*stop it first\. Nothing was changed/);
    lock.release();
  });

  it('that fails leaves the folder as it was', async () => {
    await expect(restoreBackup(dataDir(), backup, deps)).rejects.toThrow(/ENOENT/); // the backup has no database
    expect(existsSync(dataDir())).toBe(false);
  });
});

describe('npm run backup', () => {
  const settings = (given = {}) => ({
    holdfastDataDir: dataDir(),
    internalSecret: undefined,
    databaseUrl: undefined,
    amqpUrl: undefined,
    ...given,
  });

  it('is refused for your own Postgres, and names what to use', async () => {
    const own = settings({ databaseUrl: 'postgres://somewhere/holdfast' });
    await expect(createBackup(own, path.join(parent, 'new'), deps)).rejects.toThrow(/deploy\/backup\/backup\.sh/);
  });

  it('is refused where there is no embedded database', async () => {
    await expect(createBackup(settings(), path.join(parent, 'new'), deps)).rejects.toThrow(/There is no embedded database in/);
  });

  it('is refused for a folder inside the data folder', async () => {
    mkdirSync(path.join(dataDir(), 'postgres'), { recursive: true });
    writeFileSync(path.join(dataDir(), 'postgres', 'password'), 'secret');
    await expect(createBackup(settings(), path.join(dataDir(), 'backups'), deps)).rejects.toThrow(/is inside the data folder/);
  });
});

describe('the emergency stop after a restore', () => {
  it('is the same statement in the script for your own Postgres', () => {
    const script = readFileSync(new URL('../../../deploy/backup/stop-payouts.sql', import.meta.url), 'utf8');
    const statement = script
      .replaceAll(/^--.*\n/gm, '')
      .replaceAll(":'at'", '$1')
      .replaceAll(":'reason'", '$2');
    const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
    expect(oneLine(statement)).toBe(oneLine(stopPayoutsStatement));
  });
});
