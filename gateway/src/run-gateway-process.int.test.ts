import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { builtFile } from '@holdfast/testing/built-file';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs, testServerUrl } from '@holdfast/testing/servers';

const children: ChildProcess[] = [];
/** Starting a process can take long on a busy machine. */
const processStartTimeoutMs = 60_000;

afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

function start(env: Readonly<Record<string, string>>) {
  const script = builtFile(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  children.push(child);
  return { child, ended, output: () => output };
}

describe('the gateway process', () => {
  it(
    'logs its URL when it is ready, serves, and exits with 0 on SIGTERM',
    async () => {
      const database = await testDatabase();
      const { child, ended, output } = start({
        MASTER_KEY: 'm',
        INTERNAL_SECRET: database.internalSecret,
        DATABASE_URL: database.adminUrl,
        AMQP_URL: await testServerUrl('rabbitmq'),
        HOST: '127.0.0.1',
        PORT: '0',
        METRICS_PORT: '0',
        SHUTDOWN_DELAY_MS: '0',
      });
      const url = await eventually(
        () => {
          const ready = /"url":"([^"]+)","msg":"ready"/.exec(output());
          expect(ready).not.toBeNull();
          return ready?.[1] ?? '';
        },
        { timeoutMs: processStartTimeoutMs },
      );
      const health = await fetch(`${url}/api/v1/health`);
      child.kill('SIGTERM');
      expect(health.status).toBe(200);
      expect(await ended).toBe(0);
      await database.drop();
    },
    serverStartTimeoutMs,
  );

  it(
    'names every faulty setting at once and exits with 1',
    async () => {
      const { ended, output } = start({
        PORT: 'x',
        LEDGER_BALANCE_URL: 'ftp://host',
        MASTER_KEY: 'short',
        NODE_ENV: 'production',
      });
      expect(await ended).toBe(1);
      for (const name of ['PORT', 'LEDGER_BALANCE_URL', 'MASTER_KEY', 'INTERNAL_SECRET', 'DATABASE_URL', 'AMQP_URL'])
        expect(output()).toContain(`- ${name} `);
      expect(output()).not.toContain('short"');
    },
    processStartTimeoutMs,
  );
});
