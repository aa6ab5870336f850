import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { freePort } from '@holdfast/testing/servers';
import { isReady } from '../servers/platform-process.js';
import { markField, nowMark } from './mark.js';
import type { StreamServer } from './stream-servers.js';

const run = promisify(execFile);
const program = '/usr/sbin/nginx';
const moduleFile = '/usr/lib/nginx/modules/ngx_nchan_module.so';
const startTimeoutMs = 10_000;
const pollMs = 20;
const publishersMax = 8;
/** Fills a message up to the size of an event of Holdfast. */
const padding = 'x'.repeat(420);

/** nginx with nchan, one process, messages in memory. */
export async function startNchan(folder: string): Promise<StreamServer & { readonly version: string }> {
  requireNchan();
  const port = await freePort();
  const home = path.join(folder, 'nchan');
  mkdirSync(home);
  const file = path.join(home, 'nginx.conf');
  writeFileSync(file, configOf(home, port));
  const child = spawn(program, ['-p', home, '-c', file, '-e', path.join(home, 'error.log')], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + startTimeoutMs;
  while (!(await isReady(`${url}/ready`))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('nchan did not respond in time');
    await pause(pollMs);
  }
  const publisher = new Pool(url, { connections: publishersMax });
  const { stderr } = await run(program, ['-v']);
  return {
    name: 'nchan',
    pid: child.pid ?? 0,
    version: /nginx\/([\d.]+)/.exec(stderr)?.[1] ?? 'unknown',
    subscription: (topic, from) => ({ url: `${url}/${from === 'now' ? 'sub' : 'all'}?topic=${topic}`, headers: {} }),
    publish: (topic, count, perSecond) => publish(publisher, topic, count, perSecond),
    stop: async () => {
      await publisher.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function requireNchan(): void {
  if (existsSync(program) && existsSync(moduleFile)) return;
  throw new Error(
    [
      'There is no nginx with nchan on this machine. Install both with:',
      '  sudo apt-get update && sudo apt-get install -y nginx-light libnginx-mod-nchan',
    ].join('\n'),
  );
}

async function publish(publisher: Pool, topic: string, count: number, perSecond: number): Promise<void> {
  const begunAt = performance.now();
  const post = async (): Promise<void> => {
    const body = `{${markField}${nowMark()}","padding":"${padding}"}`;
    const response = await publisher.request({ method: 'POST', path: `/pub?topic=${topic}`, body });
    await response.body.dump();
    if (response.statusCode >= 300) throw new Error(`nchan responded to a publisher with ${response.statusCode}`);
  };
  for (let task = 0; task < count; task += 1) {
    if (perSecond > 0) await pause(Math.max(0, begunAt + (task * 1_000) / perSecond - performance.now()));
    await post();
  }
}

function configOf(home: string, port: number): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`);
  const channel = 'nchan_channel_id $arg_topic; nchan_message_buffer_length 20000; nchan_message_timeout 1h;';
  return `
    load_module ${moduleFile};
    daemon off;
    master_process off;
    pid ${home}/nginx.pid;
    worker_rlimit_nofile 16384;
    events { worker_connections 8192; }
    http {
      ${folders.join('\n      ')}
      access_log off;
      keepalive_requests 100000000;
      nchan_shared_memory_size 256m;
      server {
        listen 127.0.0.1:${port} backlog=4096;
        location = /ready { return 200; }
        location = /pub { nchan_publisher; ${channel} }
        location = /sub { nchan_subscriber eventsource; nchan_subscriber_first_message newest; ${channel} }
        location = /all { nchan_subscriber eventsource; nchan_subscriber_first_message oldest; ${channel} }
      }
    }
    `;
}
