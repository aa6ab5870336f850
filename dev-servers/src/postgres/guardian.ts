import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { DataFolder } from './data-folder.js';

/**
 * Runs the server and ends with it. When the pipe to it closes, it asks the server for a fast shutdown: the pipe closes
 * however its other end died, kill -9 included. A shell, because a second Node would cost 40 MB for waiting.
 */
const guardianScript = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
trap 'kill -INT "$server"' HUP INT TERM
{ cat <&3 >/dev/null; kill -INT "$server"; } 2>/dev/null &
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

/** In a process group of its own, so that Ctrl-C in a terminal reaches us and not the server before our drain. */
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
  child.stdin?.on('error', () => undefined); // it may be gone before we close the pipe
  return child;
}
