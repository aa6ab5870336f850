import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CannotStart } from './cannot-start.js';
import { writeDurably } from './files.js';

export type Secrets = {
  /** Opens every route; the only credential there is at first. */
  readonly masterKey: string;
  /** What the parts of an installation prove themselves to each other with. */
  readonly internalSecret: string;
};

const secretBytes = 32;
const files = { masterKey: 'master-key', internalSecret: 'internal-secret' } as const;
const prefixes = { masterKey: 'hk_master_', internalSecret: '' } as const;

export const secretFileNames: readonly string[] = Object.values(files);

/** Given secrets are used and not kept; the others are made at the first start and stay the same from then on. */
export function keepSecrets(dataDir: string, given: { readonly [Name in keyof Secrets]?: string | undefined }): Secrets {
  return {
    masterKey: given.masterKey ?? readOrMake(dataDir, 'masterKey'),
    internalSecret: given.internalSecret ?? readOrMake(dataDir, 'internalSecret'),
  };
}

function readOrMake(dataDir: string, name: keyof Secrets): string {
  const kept = readSecret(dataDir, name);
  if (kept !== undefined) return kept;
  const made = `${prefixes[name]}${randomBytes(secretBytes).toString('base64url')}`;
  writeDurably(path.join(dataDir, files[name]), `${made}\n`);
  return made;
}

/** The secret as it is kept, or undefined where none was ever made. */
export function readSecret(dataDir: string, name: keyof Secrets): string | undefined {
  const file = path.join(dataDir, files[name]);
  if (!existsSync(file)) return undefined;
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '')
    throw new CannotStart(`The file ${file} is empty: put the secret back, or delete the file to have a new one made.`);
  return secret;
}
