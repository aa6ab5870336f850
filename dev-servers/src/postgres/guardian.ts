import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { DataFolder } from './data-folder.js';

/**
 * Runs the server and exits with it. When its standard input is closed, it sends the server SIGINT (fast shutdown): the kernel closes
 * the pipe when the parent process ends in any way, including SIGKILL. It repeats the signal, because a server that is just starting
 * ignores it. A shell script, because a second Node process uses 40 MB.
 */
const guardianScript = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
trap 'kill -INT "$server"' HUP INT TERM
{ cat <&3 >/dev/null; while kill -INT "$server"; do sleep 1; done; } 2>/dev/null &
watcher=$!
while kill -0 "$server" 2>/dev/null; do wait "$server"; status=$?; done
kill "$watcher" 2>/dev/null
exit "$status"
`;

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %a ',
} as const;

/**
 * Uses a separate process group, so that Ctrl-C in a terminal does not stop the server before the services have drained.
 * See ADR 0006.
 */
export function spawnGuardian(folder: DataFolder, port: number): ChildProcess {
  const log = openSync(folder.logFile, 'w', 0o600);
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [folder.binaries.postgres, '-D', folder.cluster, '-p', port.toString(), ...options];
  const account = folder.user === undefined ? {} : { uid: folder.user.uid, gid: folder.user.gid };
  const child = spawn('/bin/sh', ['-c', guardianScript, 'holdfast-postgres-guardian', ...command], {
    ...account,
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  child.stdin?.on('error', () => undefined); // the guardian may exit before the pipe is closed
  return child;
}
