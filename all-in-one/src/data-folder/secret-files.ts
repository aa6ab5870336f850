import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { CannotStart } from './cannot-start.js';

const secretBytes = 32;

export function randomText(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** The secret in the file, or undefined where there is no such file. */
export function readSecretFile(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '')
    throw new CannotStart(`The file ${file} is empty: put the secret back, or delete the file to have a new one made.`);
  return secret;
}
