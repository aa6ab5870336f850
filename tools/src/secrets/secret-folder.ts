import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { secretKinds, secretNames, type SecretName } from './kinds.js';
import { secretReaders } from './readers.js';

/** Read by this command alone; every reader gets copies. */
const originals = 'originals';
const ownerReads = 0o400;

/** Generates the secrets that are missing, and gives every reader its files. Safe to repeat: what exists is never replaced. */
export function provideSecrets(folder: string): void {
  for (const name of secretNames()) if (!existsSync(originalOf(folder, name))) storeOriginal(folder, name, secretKinds[name]());
  const secretOf = (name: SecretName): string => readFileSync(originalOf(folder, name), 'utf8').trim();
  for (const [reader, { user, files }] of Object.entries(secretReaders)) {
    for (const [file, textOf] of Object.entries(files))
      writePrivately(path.join(folder, reader, file), { text: textOf(secretOf), user });
  }
}

/** Replaces a secret by one from outside, such as the key that a provider has issued. */
export function replaceSecret(folder: string, name: SecretName, secret: string): void {
  storeOriginal(folder, name, secret);
  provideSecrets(folder);
}

function originalOf(folder: string, name: SecretName): string {
  return path.join(folder, originals, name);
}

function storeOriginal(folder: string, name: SecretName, secret: string): void {
  writePrivately(originalOf(folder, name), { text: secret, user: process.getuid?.() ?? 0 });
}

/** A reader sees the old file or the new one, never a part. */
function writePrivately(file: string, { text, user }: { readonly text: string; readonly user: number }): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true }); // what an interrupted run has left cannot be written to
  writeFileSync(temporary, `${text}\n`, { flush: true });
  chmodSync(temporary, ownerReads);
  // Only root may give files away; without it the readers run as this user.
  if (process.getuid?.() === 0) chownSync(temporary, user, user);
  renameSync(temporary, file);
}
