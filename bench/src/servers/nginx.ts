import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/testing/servers';
import type { ListeningProcess } from './listening-process.js';
import { isReady } from './platform-process.js';

const run = promisify(execFile);
const startTimeoutMs = 10_000;
const pollMs = 20;
const connectionsMax = 128;
const requestsMax = 100_000_000;

export type Nginx = ListeningProcess & { readonly version: string };

/** nginx as a plain proxy: one process, connections kept open on both sides, no log. */
export async function startNginx(folder: string, serviceUrl: string): Promise<Nginx> {
  const program = await findNginx();
  const port = await freePort();
  const home = path.join(folder, 'nginx');
  mkdirSync(home);
  const file = path.join(home, 'nginx.conf');
  writeFileSync(file, configOf(home, port, new URL(serviceUrl).host));
  const child = spawn(program.path, ['-p', home, '-c', file, '-e', path.join(home, 'error.log')], { stdio: 'inherit' });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + startTimeoutMs;
  while (!(await isReady(url))) {
    if (child.exitCode === null && performance.now() < deadline) await pause(pollMs);
    else {
      await stop();
      throw new Error('nginx did not respond in time');
    }
  }
  return { url, pid: child.pid ?? 0, version: program.version, stop };
}

function configOf(home: string, port: number, service: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`);
  return `
    daemon off;
    master_process off;
    pid ${home}/nginx.pid;
    events { worker_connections 1024; }
    http {
      ${folders.join('\n      ')}
      access_log off;
      keepalive_requests ${requestsMax};
      upstream service {
        server ${service};
        keepalive ${connectionsMax};
        keepalive_requests ${requestsMax};
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://service;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      }
    }
    `;
}

/** Debian keeps it where only the administrator's path leads. */
async function findNginx(): Promise<{ readonly path: string; readonly version: string }> {
  for (const candidate of ['nginx', '/usr/sbin/nginx']) {
    const found = await run(candidate, ['-v']).catch(() => undefined);
    if (found !== undefined) return { path: candidate, version: /nginx\/([\d.]+)/.exec(found.stderr)?.[1] ?? 'unknown' };
  }
  throw new Error(
    [
      'There is no nginx on this machine, neither on the path nor in /usr/sbin. Install it with:',
      '  sudo apt-get update && sudo apt-get install -y nginx-light',
    ].join('\n'),
  );
}
