import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './config.js';
import { findCommand } from './find-command.js';

const run = promisify(execFile);
const timeoutMs = 600_000;
const outputBytesMax = 16 * 1_024 * 1_024;

export type UnpackOptions = {
  readonly package: string;
  /** A folder that does not exist yet. It appears whole or not at all. */
  readonly target: string;
  /** Also the packages that it depends on and that this machine does not have. */
  readonly withDependencies: boolean;
};

/** Lists that are missing or old make a download fail; only root may renew them. */
const unpackScript = `
set -e
[ ! -e "$2" ] || exit 0
packages="$1"
if [ "$3" = with-dependencies ]; then
  packages=$(apt-get install --simulate --no-install-recommends "$1" | sed -n 's/^Inst \\([^ ]*\\) .*/\\1/p')
fi
rm -rf "$2.unfinished"
mkdir -p "$2.unfinished/packages" "$2.unfinished/files"
cd "$2.unfinished/packages"
apt-get -q download $packages || { [ "$(id -u)" = 0 ] && apt-get -q update && apt-get -q download $packages; }
for file in *.deb; do dpkg -x "$file" "$2.unfinished/files"; done
mv "$2.unfinished/files" "$2"
rm -rf "$2.unfinished"
`;

const installScript = `
set -e
apt-get -q update
apt-get -q install -y --no-install-recommends "$1"
`;

export function hasApt(): boolean {
  return ['apt-get', 'dpkg', 'flock'].every((command) => findCommand(command) !== undefined);
}

/** Unpacks a package without installing it: no root is needed and no service is started. */
export async function unpackPackage(options: UnpackOptions): Promise<void> {
  const which = options.withDependencies ? 'with-dependencies' : 'alone';
  await runLocked(path.dirname(options.target), unpackScript, [options.package, options.target, which]);
}

/** Needs root. Run level 1 prevents that the package starts its own server. */
export async function installPackage(name: string, lockFolder = cacheFolder()): Promise<void> {
  await runLocked(lockFolder, installScript, [name]);
}

/** One at a time on this machine: two test workers may want the same package. The kernel frees the lock when the holder ends. */
async function runLocked(folder: string, script: string, args: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const settings = ['LC_ALL=C', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
  const command = ['flock', path.join(folder, 'packages.lock'), '/bin/sh', '-c', script, 'holdfast-packages', ...args];
  await run('env', [...settings, ...command], { timeout: timeoutMs, maxBuffer: outputBytesMax });
}
