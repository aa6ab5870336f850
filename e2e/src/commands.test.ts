import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findRunning } from '@holdfast/all-in-one';
import { systemClock } from '@holdfast/kernel/context';
import { userCreated } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory } from '@holdfast/kernel/ids';
import { connectDatabase, type Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { clientOf } from './testing/client.js';
import { newDataDir, startAllInOne, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms, runProgram } from './testing/program.js';

jest.setTimeout(240_000);

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const internalSecret = 'a-secret-of-the-commands-test';

let dataDir: string;
let environment: Readonly<Record<string, string>>;
let installation: RunningInstallation;
const opened: Database[] = [];

beforeAll(async () => {
  dataDir = newDataDir();
  environment = { HOLDFAST_DATA_DIR: dataDir, INTERNAL_SECRET: internalSecret };
  installation = await startAllInOne(dataDir, environment);
});
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await killLeftPrograms();
  await eventually(() => rmSync(dataDir, { recursive: true, force: true }));
});

/** Logs in as a service: what only a mistake of ours could do, a test may. */
async function logIn(service: string): Promise<Database> {
  const adminUrl = findRunning(dataDir)?.databaseUrl ?? '';
  const database = await connectDatabase({ adminUrl, service, internalSecret, poolMax: 1, log: silentLog });
  opened.push(database);
  return database;
}

describe('npm run verify-ledger', () => {
  it('prints the broken rule with exit code 1, and passes once the row is repaired', async () => {
    await clientOf(installation.baseUrl, installation.masterKey).credit(installation.buyerId, '10.00');
    const ledger = await logIn('ledger-balance');
    const shift = (units: number): Promise<unknown> =>
      ledger.pool.query(`update accounts set available_units = available_units + $1 where owner = $2`, [
        units,
        installation.buyerId,
      ]);

    await shift(1);
    const unsound = await runProgram('verifyLedger', environment);
    await shift(-1);
    const sound = await runProgram('verifyLedger', environment);

    expect(unsound.code).toBe(1);
    expect(unsound.output).toMatch(/an available balance is the sum of its legs +user:usr_\w+:USD/);
    expect(unsound.output).toContain('NOT SOUND');
    expect(sound).toMatchObject({ code: 0, output: expect.stringContaining('Sound: every rule of the books holds.') });
  });

  it('names the missing settings where there is no installation', async () => {
    const { code, output } = await runProgram('verifyLedger', { HOLDFAST_DATA_DIR: path.join(dataDir, 'nowhere') });
    expect(code).toBe(1);
    expect(output).toContain('There is no installation in');
  });
});

describe('npm run parked', () => {
  it('lists a parked message and sends it back to its service, which then handles it', async () => {
    const userId = newId('usr');
    const messageId = newId('evt');
    const ledger = await logIn('ledger-balance');
    await ledger.pool.query(
      `insert into parked_messages (message_id, type, body, attempts, reason)
       values ($1, $2, $3, 5, 'failed 5 times, at last: Error: no')`,
      [messageId, userCreated.type, Buffer.from(JSON.stringify(userEnvelope(messageId, userId)))],
    );
    const client = clientOf(installation.baseUrl, installation.masterKey);
    expect(await client.balance(userId)).toMatchObject({ status: 404 });

    const listed = await runProgram('parked', environment, 'list');
    const redriven = await runProgram('parked', environment, 'redrive', 'ledger-balance', messageId);

    expect(listed.output).toMatch(new RegExp(`ledger-balance +${messageId} +user\\.created +5 .*failed 5 times`));
    expect(redriven).toMatchObject({ code: 0, output: expect.stringContaining('1 message was sent back to ledger-balance.') });
    await eventually(async () => expect(await client.balance(userId)).toMatchObject({ status: 200 }));
    await eventually(async () => {
      expect((await runProgram('parked', environment, 'list')).output).toContain('No messages are parked');
    });
  });

  it('explains itself when it is not understood', async () => {
    expect(await runProgram('parked', environment, 'redrive')).toMatchObject({
      code: 1,
      output: expect.stringContaining('npm run parked'),
    });
    expect(await runProgram('parked', environment, 'list', 'nobody')).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no service "nobody"'),
    });
  });
});

describe('npm run emergency', () => {
  const because = ['--by', 'Ada', '--reason', 'a drill'] as const;

  it('stops and resumes, which /health/detailed and the status show', async () => {
    expect(await runProgram('emergency', environment, 'status')).toMatchObject({
      code: 0,
      output: expect.stringContaining('RUNNING'),
    });
    expect(await runProgram('emergency', environment, 'stop', ...because)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/STOPPED[^]*by Ada[^]*a drill/),
    });
    const warnings = async (): Promise<unknown> => {
      const response = await fetch(`${installation.baseUrl}/health/detailed`);
      return ((await response.json()) as { readonly data: { readonly warnings: unknown } }).data.warnings;
    };
    await eventually(async () => expect(await warnings()).toEqual([expect.stringContaining('the emergency stop is on')]), {
      timeoutMs: 20_000,
    });
    expect(await runProgram('emergency', environment, 'resume', ...because)).toMatchObject({
      code: 0,
      output: expect.stringContaining('RUNNING'),
    });
  });

  it('explains itself when it is not understood', async () => {
    expect(await runProgram('emergency', environment, 'stop')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/--by is missing[^]*npm run emergency/),
    });
  });
});

describe('npm run service', () => {
  it('names the parts there are', async () => {
    const { code, output } = await runProgram('service', {}, 'ledger');
    expect(code).toBe(1);
    expect(output).toMatch(/There is no part "ledger".* one of gateway, identity, ledger-balance/);
  });

  it('lists every missing setting at once', async () => {
    const { code, output } = await runProgram('service', {}, 'ledger-balance');
    expect(code).toBe(1);
    for (const name of ['DATABASE_URL', 'AMQP_URL', 'INTERNAL_SECRET']) expect(output).toContain(name);
  });
});

describe('npm run reset', () => {
  it('deletes nothing while Holdfast runs on the folder', async () => {
    const { code, output } = await runProgram('reset', environment, '--yes');
    expect(code).toBe(1);
    expect(output).toContain(`Holdfast (process ${installation.pid}) is running on ${dataDir}: stop it first.`);
    expect((await clientOf(installation.baseUrl, installation.masterKey).balance(installation.buyerId)).status).toBe(200);
  });

  it('deletes nothing that is not a data folder', async () => {
    const folder = newDataDir();
    writeFileSync(path.join(folder, 'cat.jpg'), '');
    const { code, output } = await runProgram('reset', { HOLDFAST_DATA_DIR: folder }, '--yes');
    expect(code).toBe(1);
    expect(output).toContain('is not a data folder of Holdfast');
    expect(readdirSync(folder)).toEqual(['cat.jpg']);
    rmSync(folder, { recursive: true });
  });

  it('deletes the data of Holdfast and nothing else, after a confirmation', async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    installation.signal('SIGTERM');
    await installation.ended;

    const unconfirmed = await runProgram('reset', environment);
    expect(unconfirmed).toMatchObject({ code: 1, output: expect.stringContaining('There is nobody to ask') });
    writeFileSync(path.join(dataDir, 'notes.txt'), 'mine');
    const first = await runProgram('reset', environment, '--yes');
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('still there: notes.txt') });
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
    rmSync(dataDir, { recursive: true });
    expect((await runProgram('reset', environment, '--yes')).output).toContain('There is nothing to delete');
    expect(existsSync(dataDir)).toBe(false);
  });
});

function userEnvelope(id: string, userId: string): object {
  const payload = { userId, externalUserId: userId, type: 'BOTH', status: 'ACTIVE' };
  const { type, version, aggregateType } = userCreated;
  const about = { aggregateType, aggregateId: userId, aggregateVersion: 1, marketplaceId: defaultMarketplaceId };
  return { id, type, version, occurredAt: clock.now(), ...about, correlationId: 'commands-test', payload };
}
