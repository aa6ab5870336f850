import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { RabbitmqInstallation } from './find-rabbitmq.js';
import { writeServerConfig, type ServerFolder, type ServerPorts } from './server-folder.js';

/**
 * Runs Erlang's port mapper and the server, and takes everything with it when the server ends. When the pipe to it closes,
 * it asks the server to stop: the pipe closes however its other end died, kill -9 included. The port mapper is started in
 * the foreground before the server, which else would start one that outlives it. A shell, because a second Node would
 * cost 40 MB for waiting.
 */
const guardianScript = `
exec 3<&0
"$2" -port "$ERL_EPMD_PORT" -address 127.0.0.1 </dev/null 3<&- &
"$1" </dev/null 3<&- &
server=$!
{
  cat <&3 >/dev/null
  kill -TERM "$server"
  sleep "$3"
  kill -KILL 0
} 2>/dev/null &
wait "$server"
kill -KILL 0
`;

/** A server that has not stopped by then is killed; quorum queues recover from their log. */
export const gracefulStopSeconds = 10;

/** In a process group of its own: Ctrl-C in a terminal does not reach it, and one signal ends all of it. */
export function spawnGuardian(installation: RabbitmqInstallation, folder: ServerFolder, ports: ServerPorts): ChildProcess {
  writeServerConfig(folder, ports);
  const log = openSync(folder.logFile, 'a', 0o600);
  const args = [installation.server, installation.epmd, gracefulStopSeconds.toString()];
  const child = spawn('/bin/sh', ['-c', guardianScript, 'holdfast-rabbitmq-guardian', ...args], {
    detached: true,
    cwd: folder.root,
    env: environmentOf(installation, folder, ports),
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  letUsExit(child);
  return child;
}

/** By default Erlang's threads spin for a while before they sleep, which takes the processor from whoever shares the machine. */
const idleThreadsSleep = '+sbwt none +sbwtdcpu none +sbwtdio none';

/**
 * Everything that another RabbitMQ on this machine might share with it is its own. The node's name is always the same,
 * because the data belong to it; names of other nodes do not matter, as they are known to another port mapper.
 */
function environmentOf(installation: RabbitmqInstallation, folder: ServerFolder, ports: ServerPorts): Record<string, string> {
  return {
    PATH: `${installation.erlangFolder}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    HOME: folder.home,
    LANG: 'C.UTF-8',
    ERL_EPMD_PORT: ports.epmd.toString(),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_NODENAME: 'holdfast@localhost',
    RABBITMQ_DIST_PORT: ports.distribution.toString(),
    RABBITMQ_CONFIG_FILE: folder.configFile,
    RABBITMQ_ENABLED_PLUGINS_FILE: folder.pluginsFile,
    RABBITMQ_MNESIA_BASE: folder.data,
    RABBITMQ_LOG_BASE: folder.logs,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `${idleThreadsSleep} -kernel inet_dist_use_interface {127,0,0,1}`,
  };
}

/** Our process may end although the guardian lives: that is what makes it stop the server. */
function letUsExit(child: ChildProcess): void {
  child.on('error', () => undefined); // it then never has a pid, which is what the start looks at
  child.unref();
  child.stdin?.on('error', () => undefined); // it may be gone before we close the pipe
  if (child.stdin instanceof Socket) child.stdin.unref();
}
