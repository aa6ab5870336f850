import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { builtFile } from '@holdfast/testing/built-file';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { signedCaller } from './testing/running-sample.js';

let database: TestDatabase;
let names: DefaultNamespace;

beforeAll(async () => {
  [database, names] = await Promise.all([testDatabase(), lockDefaultNamespace()]);
}, serverStartTimeoutMs);
afterAll(async () => {
  await names.release();
  await database.drop();
});

type Started = { readonly child: ChildProcess; readonly ended: Promise<number | null>; readonly output: () => string };

function start(env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, [builtFile(new URL('testing/sample-process.ts', import.meta.url))], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, output: () => output };
}

function good(): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: database.adminUrl,
    AMQP_URL: names.url,
    INTERNAL_SECRET: database.internalSecret,
    PORT: '0',
    METRICS_PORT: '0',
  };
}

/** A new process loads every module. */
const readyTimeoutMs = 60_000;

jest.setTimeout(120_000);

describe('the process of a service', () => {
  it('logs its URLs when ready, still serves when its stop is announced, and exits with 0', async () => {
    const { child, ended, output } = start(good());
    const [metricsUrl, url] = await eventually(
      () => {
        const ready = /"metricsUrl":"([^"]+)","url":"([^"]+)","msg":"ready"/.exec(output());
        expect(ready).not.toBeNull();
        return [ready?.[1] ?? '', ready?.[2] ?? ''];
      },
      { timeoutMs: readyTimeoutMs },
    );
    const getNotes = () => fetch(`${url}/api/v1/notes`, { headers: signedCaller(database.internalSecret) });
    const before = await getNotes();
    expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive']);
    expect((await fetch(`${metricsUrl}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');

    await eventually(() => expect(output()).toMatch(/"msg":"stop announced"/));
    const [ready, alive, notes] = await Promise.all([fetch(`${metricsUrl}/readyz`), fetch(`${metricsUrl}/livez`), getNotes()]);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not ready', parts: { database: 'up', broker: 'up', consumers: 'up', start: 'up', stop: 'down' } },
    ]);
    expect([alive.status, notes.status, notes.headers.get('connection')]).toEqual([200, 200, 'close']);
    expect(await ended).toBe(0);
    expect(output()).toMatch(/"msg":"stopped"/);
    expect(output()).not.toMatch(/"level":"(warn|error)"/);
  });

  it('prints every faulty setting and exits with 1', async () => {
    const { ended, output } = start({ PORT: 'x', DATABASE_URL: 'mysql://admin:hunter22@host', NOTE_LIMIT: '100' });
    expect(await ended).toBe(1);
    for (const name of ['PORT', 'DATABASE_URL', 'AMQP_URL', 'INTERNAL_SECRET', 'NOTE_LIMIT'])
      expect(output()).toContain(`- ${name} `);
    expect(output()).not.toContain('hunter22');
  });

  it('exits with 1 when it cannot start', async () => {
    const { port } = new URL(database.adminUrl);
    const { ended, output } = start({ ...good(), PORT: port, HOST: '127.0.0.1' });
    expect(await ended).toBe(1);
    expect(output()).toMatch(/EADDRINUSE[^]*"msg":"could not start"/);
  });
});
