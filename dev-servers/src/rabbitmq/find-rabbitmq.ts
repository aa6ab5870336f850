import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';
import { findCommand } from '../debian/index.js';

export type RabbitmqInstallation = {
  readonly server: string;
  readonly epmd: string;
  /** The folder of `erl`, which the server script looks up on its PATH. */
  readonly erlangFolder: string;
};

/** Where packages install the server script. The one in /usr/sbin on Debian is a wrapper that refuses ordinary users. */
const serverFolders = [
  '/usr/lib/rabbitmq/bin',
  '/usr/local/lib/rabbitmq/sbin',
  '/opt/rabbitmq/sbin',
  '/opt/homebrew/opt/rabbitmq/sbin',
  '/usr/local/opt/rabbitmq/sbin',
];
const erlangFolders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/usr/lib/erlang/bin'];
const wrapperName = 'rabbitmq-script-wrapper';

/** The RabbitMQ installation that the current user can start, if any. */
export function findRabbitmq(): RabbitmqInstallation | undefined {
  const server = findProgram('rabbitmq-server', serverFolders);
  const erl = findProgram('erl', erlangFolders);
  const epmd = findProgram('epmd', erlangFolders);
  if (server === undefined || erl === undefined || epmd === undefined) return undefined;
  return { server, epmd, erlangFolder: path.dirname(erl) };
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  const candidates = [...folders.map((folder) => path.join(folder, name)), findCommand(name)];
  return candidates.find((file) => file !== undefined && isUsable(file));
}

function isUsable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return path.basename(realpathSync(file)) !== wrapperName;
  } catch {
    return false;
  }
}
