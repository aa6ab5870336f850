import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The account that the server runs as. Postgres refuses to run as root, so under root it runs as an unprivileged user. */
export type ServerUser = { readonly name: string; readonly uid: number; readonly gid: number };

const preferredNames = ['postgres', 'nobody'] as const;

/** Undefined for an ordinary user, whose account is used. `ownerUid` is the owner of existing data. */
export function chooseServerUser(ownerUid: number | undefined): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readUsers();
  const owner = users.find((user) => user.uid === ownerUid && user.uid !== 0);
  if (owner !== undefined) return owner;
  for (const name of preferredNames) {
    const user = users.find((candidate) => candidate.name === name);
    if (user !== undefined) return user;
  }
  throw new Error(
    'Postgres refuses to run as root, and this machine has neither a user "postgres" nor "nobody": start Holdfast as an ordinary user or set DATABASE_URL.',
  );
}

/** The topmost folder above `target` that the user may not enter, if any. */
export function findClosedFolder(target: string, user: ServerUser): string | undefined {
  const folder = path.dirname(path.resolve(target));
  const closedAbove = folder === path.sep ? undefined : findClosedFolder(folder, user);
  if (closedAbove !== undefined) return closedAbove;
  return mayEnter(folder, user) ? undefined : folder;
}

function mayEnter(folder: string, user: ServerUser): boolean {
  const entry = statSync(folder, { throwIfNoEntry: false });
  if (entry === undefined) return true; // it does not exist yet and is created with the right mode
  if (entry.uid === user.uid) return (entry.mode & 0o100) !== 0;
  if (entry.gid === user.gid) return (entry.mode & 0o010) !== 0;
  return (entry.mode & 0o001) !== 0;
}

function readUsers(): readonly ServerUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length > 3 && fields[0] !== undefined && !fields[0].startsWith('#'))
    .map((fields) => ({ name: String(fields[0]), uid: Number(fields[2]) >>> 0, gid: Number(fields[3]) >>> 0 }));
}
