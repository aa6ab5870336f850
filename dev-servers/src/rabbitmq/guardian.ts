import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { RabbitmqInstallation } from './find-rabbitmq.js';
import { writeServerConfig, type ServerFolder, type ServerPorts } from './server-folder.js';

/**
 * Runs the port mapper of Erlang (epmd) and the server, and kills the process group when the server ends. When its standard input is
 * closed, it sends the server SIGTERM: the kernel closes the pipe when the parent process ends in any way, including SIGKILL. epmd is
 * started before the server, because the server would otherwise start one that outlives it. A shell script, because a second Node
 * process uses 40 MB.
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

/** A server that has not stopped by then is killed. Quorum queues recover from their log. */
export const gracefulStopSeconds = 10;

/** Uses a separate process group, so that Ctrl-C in a terminal does not reach it and one signal kills every process. */
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
  unref(child);
  return child;
}

/** Disables busy waiting of Erlang schedulers, which uses CPU time of other processes. */
const noBusyWait = '+sbwt none +sbwtdcpu none +sbwtdio none';

/**
 * Separates the server from other RabbitMQ servers on this machine. The node name is constant, because the data belong to it; it
 * cannot collide with other nodes, which use another port mapper.
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
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `${noBusyWait} -kernel inet_dist_use_interface {127,0,0,1}`,
  };
}

/** Lets this process exit while the guardian runs, which then stops the server. */
function unref(child: ChildProcess): void {
  child.on('error', () => undefined); // the start checks for a missing pid instead
  child.unref();
  child.stdin?.on('error', () => undefined); // the guardian may exit before the pipe is closed
  if (child.stdin instanceof Socket) child.stdin.unref();
}
