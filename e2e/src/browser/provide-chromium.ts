import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const installTimeoutMs = 300_000;
const outputBytesMax = 16 * 1_024 * 1_024;

const folders = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/homebrew/bin'];
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const candidates = [
  ...folders.flatMap((folder) => names.map((name) => path.join(folder, name))),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium. Installs one where that needs no password; elsewhere the error names the command to run. */
export async function provideChromium(): Promise<string> {
  const found = candidates.find(isExecutable);
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get'))
    throw new Error(whatToDo('this user cannot install packages'));
  try {
    await runApt('update');
    await runApt('install', '-y', '--no-install-recommends', 'chromium');
  } catch (cause) {
    throw new Error(whatToDo('apt-get could not install it'), { cause });
  }
  const installed = candidates.find(isExecutable);
  if (installed === undefined) throw new Error(whatToDo('apt-get installed it outside of the known folders'));
  return installed;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function runApt(...words: readonly string[]): Promise<void> {
  const settings = ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q'];
  await run('env', [...settings, ...words], { timeout: installTimeoutMs, maxBuffer: outputBytesMax });
}

function whatToDo(reason: string): string {
  return `There is no Chromium on this machine, and ${reason}. Run: sudo apt-get update && sudo apt-get install -y chromium`;
}
