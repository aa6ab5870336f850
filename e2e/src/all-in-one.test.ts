import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { declaredMetrics } from '@holdfast/all-in-one/metrics-reference';
import { eventually } from '@holdfast/testing/eventually';
import { clientOf } from './testing/client.js';
import { checkMetrics, missingMetrics } from './testing/exported-metrics.js';
import { newDataDir, readBanner, startAllInOne } from './testing/installation.js';
import { isRunning, killLeftPrograms, runProgram, startProgram } from './testing/program.js';

jest.setTimeout(240_000);

let dataDir: string;

beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(async () => {
  await killLeftPrograms();
  await eventually(() => rmSync(dataDir, { recursive: true, force: true }));
});

/** The gateway asks for the state of the providers now and then, and a busy machine may miss the first time. */
async function expectSandbox(baseUrl: string): Promise<void> {
  const dataOf = async (path: string): Promise<unknown> =>
    ((await (await fetch(`${baseUrl}${path}`)).json()) as { readonly data: unknown }).data;
  const healthy = { status: 'healthy' };
  expect(await dataOf('/config')).toMatchObject({ providers: { escrow: 'sandbox', ledgerNetwork: 'sandbox' } });
  expect(await dataOf('/health/detailed')).toMatchObject({
    status: 'healthy',
    dependencies: { escrowProvider: healthy, ledgerNetwork: healthy },
  });
}

describe('npm start', () => {
  it('prints a command that changes a balance, refuses a second start, and has the balance after the next one', async () => {
    const first = await startAllInOne(dataDir);
    const pasted = JSON.parse(execFileSync('/bin/sh', ['-c', first.curl], { encoding: 'utf8' }));
    expect(pasted.data).toMatchObject({ userId: first.buyerId, available: '25.00', currency: 'USD' });
    await eventually(() => expectSandbox(first.baseUrl));
    const metrics = await (await fetch(first.metricsUrl)).text();
    expect(missingMetrics(metrics, [...declaredMetrics.keys()])).toEqual([]);
    expect(await checkMetrics(metrics)).toBe('');

    const refused = await runProgram('allInOne', { HOLDFAST_DATA_DIR: dataDir, PORT: '0' });
    const reason = `Another Holdfast (process ${first.pid}) is running on ${dataDir} at ${first.baseUrl}`;
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(reason) });
    expect((await clientOf(first.baseUrl, first.masterKey).balance(first.buyerId)).status).toBe(200);

    first.signal('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.output()).toContain(`Holdfast has stopped. Its data are in ${dataDir}.`);

    const second = await startAllInOne(dataDir);
    expect(second).toMatchObject({ masterKey: first.masterKey, buyerId: first.buyerId });
    expect((await clientOf(second.baseUrl, second.masterKey).balance(second.buyerId)).data.available).toBe('25.00');
    second.signal('SIGINT');
    expect(await second.ended).toBe(0);
  });

  it('has every confirmed credit exactly once after it was killed between them', async () => {
    const first = await startAllInOne(dataDir);
    const bodies = new Set<string>();
    const before = clientOf(first.baseUrl, first.masterKey);
    const credits = Array.from({ length: 400 }, async (_, index) => {
      const { status } = await before.credit(first.buyerId, '1.00', `credit-${index}`);
      if (status === 200) bodies.add(`credit-${index}`);
    });
    await eventually(() => expect(bodies.size).toBeGreaterThan(20));
    first.signal('SIGKILL');
    await Promise.allSettled(credits);
    expect(await first.ended).toBe('SIGKILL');
    await eventually(() => expect(isDatabaseRunning(dataDir)).toBe(false));

    const second = await startAllInOne(dataDir);
    const after = clientOf(second.baseUrl, second.masterKey);
    const kept = Number((await after.balance(second.buyerId)).data.available);
    expect(kept).toBeGreaterThanOrEqual(bodies.size);
    expect(kept).toBeLessThanOrEqual(400);
    // A repeated credit returns its first result, so the sum shows that none is missing or double.
    for (const reference of bodies) expect((await after.credit(second.buyerId, '1.00', reference)).status).toBe(200);
    expect(Number((await after.balance(second.buyerId)).data.available)).toBe(kept);

    const whileRunning = await runProgram('verifyLedger', { HOLDFAST_DATA_DIR: dataDir });
    expect(whileRunning).toMatchObject({ code: 0, output: expect.stringContaining('Sound') });
    second.signal('SIGTERM');
    expect(await second.ended).toBe(0);
    const whileStopped = await runProgram('verifyLedger', { HOLDFAST_DATA_DIR: dataDir });
    expect(whileStopped).toMatchObject({ code: 0, output: expect.stringContaining('Sound') });
  });

  it('stops on a signal during its start', async () => {
    const program = startProgram('allInOne', { HOLDFAST_DATA_DIR: dataDir, PORT: '0' });
    await program.prints('starting the database');
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});

describe('npm start on a port', () => {
  let holder: Server;

  async function hold(port: number): Promise<number> {
    holder = createServer().listen(port, '127.0.0.1');
    await Promise.race([once(holder, 'listening'), once(holder, 'error')]);
    const address = holder.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }
  afterEach(() => holder.close());

  it('is refused when PORT names one that is taken, with how to choose another', async () => {
    const port = await hold(0);
    const { code, output } = await runProgram('allInOne', { HOLDFAST_DATA_DIR: dataDir, PORT: port.toString() });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is taken by another program: stop what uses it, or choose another one`);
  });

  it('is the next free one when the default is taken, and the progress says so', async () => {
    await hold(8_080); // if somebody else has it already, that serves as well
    const program = await readBanner(startProgram('allInOne', { HOLDFAST_DATA_DIR: dataDir }));
    expect(program.output()).toMatch(/port 8080 is taken; the API uses \d+/);
    expect((await clientOf(program.baseUrl, program.masterKey).balance(program.buyerId)).status).toBe(200);
  });
});

describe('npm start is refused with a sentence', () => {
  it('with every bad setting at once', async () => {
    const settings = { PORT: 'eighty', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://root:hunter2@db', LEDGER_VERIFY_EVERY_MS: '-1' };
    const { code, output } = await runProgram('allInOne', { HOLDFAST_DATA_DIR: dataDir, ...settings });
    expect(code).toBe(1);
    for (const name of Object.keys(settings)) expect(output).toContain(name);
    expect(output).not.toContain('hunter2');
  });

  it.each(['a-file', 'a-file/below', '/proc/holdfast'])('with a data folder that cannot be made: %s', async (name) => {
    writeFileSync(path.join(dataDir, 'a-file'), '');
    const folder = path.resolve(dataDir, name);
    const { code, output } = await runProgram('allInOne', { HOLDFAST_DATA_DIR: folder, PORT: '0' });
    expect(code).toBe(1);
    expect(output).toContain(`The data folder ${folder} cannot be written to`);
    expect(output).toContain('HOLDFAST_DATA_DIR');
  });

  it('with data of a newer version', async () => {
    writeFileSync(path.join(dataDir, 'holdfast.json'), '{"product":"holdfast","version":"999.0.0"}');
    const { code, output } = await runProgram('allInOne', { HOLDFAST_DATA_DIR: dataDir, PORT: '0' });
    expect(code).toBe(1);
    expect(output).toContain('were last used by Holdfast 999.0.0');
  });

  it('with a database that is not reachable', async () => {
    const settings = { DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/nothing' };
    const { code, output } = await runProgram('allInOne', { HOLDFAST_DATA_DIR: dataDir, PORT: '0', ...settings });
    expect(code).toBe(1);
    expect(output).toContain('Postgres at 127.0.0.1:1 is not reachable');
    expect(output).not.toContain('hunter2');
  });
});

function isDatabaseRunning(folder: string): boolean {
  const file = path.join(folder, 'postgres', 'data', 'postmaster.pid');
  return existsSync(file) && isRunning(Number.parseInt(readFileSync(file, 'utf8'), 10));
}
