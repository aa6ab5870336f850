import { execFileSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';

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
const lookUpTimeoutMs = 5_000;

/** The RabbitMQ installation that the current user can start, if any. */
export function findRabbitmq(): RabbitmqInstallation | undefined {
  const server = findProgram('rabbitmq-server', serverFolders);
  const erl = findProgram('erl', erlangFolders);
  const epmd = findProgram('epmd', erlangFolders);
  if (server === undefined || erl === undefined || epmd === undefined) return undefined;
  return { server, epmd, erlangFolder: path.dirname(erl) };
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  const candidates = [...folders.map((folder) => path.join(folder, name)), ...findOnPath(name)];
  return candidates.find(isUsable);
}

/** Uses the shell, which has the PATH of the environment. */
export function findOnPath(name: string): readonly string[] {
  try {
    const found = execFileSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8', timeout: lookUpTimeoutMs });
    return [found.trim()];
  } catch {
    return []; // `command -v` fails when there is no such program
  }
}

function isUsable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return path.basename(realpathSync(file)) !== wrapperName;
  } catch {
    return false;
  }
}
