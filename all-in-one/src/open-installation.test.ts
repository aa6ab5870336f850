import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCommandSettings } from './command-settings.js';
import { openInstallation } from './open-installation.js';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'holdfast-no-installation-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const open = (environment: Readonly<Record<string, string>>) =>
  openInstallation(readCommandSettings(environment), () => undefined);

describe('a command without an installation', () => {
  it('names the settings that lead to one', async () => {
    await expect(open({ HOLDFAST_DATA_DIR: path.join(parent, 'nowhere') })).rejects.toThrow(
      /There is no installation in .*nowhere: set HOLDFAST_DATA_DIR, or DATABASE_URL and INTERNAL_SECRET/,
    );
  });

  it('needs the secret of a given database', async () => {
    const given = { HOLDFAST_DATA_DIR: path.join(parent, 'nowhere'), DATABASE_URL: 'postgres://127.0.0.1:1/holdfast' };
    await expect(open(given)).rejects.toThrow(/INTERNAL_SECRET is missing/);
  });
});
