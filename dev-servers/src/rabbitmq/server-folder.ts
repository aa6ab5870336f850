import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Erlang needs the distribution port and the port mapper (epmd) even for a single node. */
export type ServerPorts = { readonly amqp: number; readonly distribution: number; readonly epmd: number };

export type ServerFolder = {
  readonly root: string;
  readonly home: string;
  readonly data: string;
  readonly logs: string;
  readonly logFile: string;
  readonly configFile: string;
  readonly pluginsFile: string;
  /** Contains the pid of the guardian that uses the folder and the port of its epmd, which is open while it runs. */
  readonly holderFile: string;
  readonly password: string;
};

export const serverUser = 'holdfast';

/** Prepares the folder for a server. The password is created once, because the server stores the one of its first start. */
export function prepareServerFolder(root: string): ServerFolder {
  const within = (name: string): string => path.join(root, name);
  try {
    for (const folder of [root, within('home'), within('data'), within('logs')])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    const passwordFile = within('password');
    if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
    const pluginsFile = within('enabled_plugins');
    writeFileSync(pluginsFile, '[].\n');
    return {
      root,
      home: within('home'),
      data: within('data'),
      logs: within('logs'),
      logFile: within('server.log'),
      configFile: within('rabbitmq.conf'),
      pluginsFile,
      holderFile: within('holder'),
      password: readFileSync(passwordFile, 'utf8').trim(),
    };
  } catch (cause) {
    throw new Error(`The folder ${root} for RabbitMQ's data cannot be written to.`, { cause });
  }
}

/** The write-ahead log is limited, because RabbitMQ keeps its content in memory. */
export function writeServerConfig(folder: ServerFolder, ports: ServerPorts): void {
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
    `default_user = ${serverUser}`,
    `default_pass = ${folder.password}`,
    'loopback_users = none',
    'log.file = false',
    'log.console = true',
    'log.console.level = warning',
    'raft.wal_max_size_bytes = 67108864',
  ];
  writeFileSync(folder.configFile, `${lines.join('\n')}\n`, { mode: 0o600 });
}
