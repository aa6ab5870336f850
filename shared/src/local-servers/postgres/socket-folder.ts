import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { reasonOf } from './processes.js';
import type { ServerUser } from './server-user.js';

/** In bytes. Linux takes 107, macOS 103, and nobody a longer path. */
const socketPathMax = 103;
const longestPort = 65_535;

type Progress = (fact: string) => void;

/**
 * The folder of the server's socket, which only its account and root may enter. Undefined where there can be none: below a long
 * path, or on a mounted folder that holds files only. The server is then reached over TCP.
 */
export async function prepareSocketFolder(
  parent: string,
  user: ServerUser | undefined,
  onProgress: Progress,
): Promise<string | undefined> {
  const folder = path.join(parent, 'socket');
  try {
    if (Buffer.byteLength(socketIn(folder, longestPort)) > socketPathMax) throw new Error('its path is too long');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    await tryOut(path.join(folder, 'trial'));
    return folder;
  } catch (cause) {
    onProgress(`reaching the database over TCP, because ${folder} cannot hold its socket (${reasonOf(cause)})`);
    return undefined;
  }
}

/** A server that was killed leaves its socket behind. To be called by whoever has the data: nobody else's server is below them. */
export function removeOldSockets(folder: string, port: number): void {
  const socket = path.basename(socketIn(folder, port));
  for (const name of readdirSync(folder)) {
    if (name !== socket && name !== `${socket}.lock`) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

/** Postgres, its libraries and `pg` agree on the name. */
function socketIn(folder: string, port: number): string {
  return path.join(folder, `.s.PGSQL.${port}`);
}

async function tryOut(socket: string): Promise<void> {
  rmSync(socket, { force: true });
  const server = createServer((client) => client.destroy());
  try {
    await once(server.listen(socket), 'listening');
    const client = connect(socket);
    await once(client, 'connect');
    client.destroy();
  } finally {
    server.close();
  }
}
