import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { declaredMetrics } from '@holdfast/all-in-one/metrics-reference';
import { eventually } from '@holdfast/testing/eventually';
import { openTraceReceiver, type TraceReceiver } from '@holdfast/testing/traces';
import { browserStartTimeoutMs, startBrowser, type OpenPage } from './browser/open-page.js';
import { anOrder, bringTo, call, statusOf, type Order } from './faults/order-life.js';
import { backUp, expectRefusedIfDamaged, restore, type UnderWay } from './installation/backup.js';
import {
  expectAwayNoticed,
  expectFollowedAgain,
  expectSignedIn,
  expectSignInRefused,
  followOrders,
} from './installation/console.js';
import { describeTraces, lastRequest } from './installation/traces.js';
import { apiOf, type Api } from './testing/api.js';
import { clientOf } from './testing/client.js';
import { checkMetrics, missingMetrics } from './testing/exported-metrics.js';
import { newDataDir, readBanner, startAllInOne, startWithNpm, type RunningInstallation } from './testing/installation.js';
import { descendantsOf, runningOf } from './testing/processes.js';
import { isRunning, killLeftPrograms, runProgram, startProgram } from './testing/program.js';

jest.setTimeout(240_000);

/** One installation, from its first start over stops and a crash to its restore. Each step continues where the last one has ended. */
const folders = {
  original: newDataDir(),
  restored: newDataDir(),
  backup: path.join(mkdtempSync(path.join(tmpdir(), 'holdfast-backups-')), 'monday'),
};
const dataDir = folders.original;
const settings = { HOLDFAST_DATA_DIR: dataDir };
const walletKeyFile = path.join(dataDir, 'wallet-master-key');

let holder: Server;
let browser: Browser;
let receiver: TraceReceiver;
let running: RunningInstallation;
/** The address, the key and the demo buyer of the first start. */
let first: Pick<RunningInstallation, 'baseUrl' | 'masterKey' | 'buyerId'>;
let underWay: UnderWay;
let signedOn: Order;
/** A page of the console that stays open while the installation stops and starts again. */
let followed: OpenPage;

beforeAll(async () => {
  // If another program has the port already, that serves as well.
  holder = createServer().listen(8_080, '127.0.0.1');
  await Promise.race([once(holder, 'listening'), once(holder, 'error')]);
  receiver = await openTraceReceiver();
  const traced = { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  [running, browser] = await Promise.all([readBanner(startProgram('allInOne', traced)), startBrowser()]);
  first = running;
}, browserStartTimeoutMs);

afterAll(async () => {
  await browser.close();
  holder.close();
  await killLeftPrograms();
  await receiver.close();
  const all = [folders.original, folders.restored, path.dirname(folders.backup)];
  for (const folder of all) await eventually(() => rmSync(folder, { recursive: true, force: true }));
});

const apiNow = (): Api => apiOf(running.baseUrl, running.masterKey);

async function stop(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  const started = descendantsOf(running.pid);
  running.signal(signal);
  expect(await running.ended).toBe(0);
  expect(runningOf(started)).toEqual([]);
}

describe('the first npm start', () => {
  it('takes the next free port where the default is taken, and the progress says so', () => {
    expect(running.output()).toMatch(/port 8080 is taken; the API uses \d+/);
  });

  it('prints a command that changes a balance', () => {
    const pasted = JSON.parse(execFileSync('/bin/sh', ['-c', running.curl], { encoding: 'utf8' }));
    expect(pasted.data).toMatchObject({ userId: running.buyerId, available: '25.00', currency: 'USD' });
  });

  it('prints an address that signs one tab of the console in, once, and leaves no code or key behind', async () => {
    await expectSignedIn(browser, running);
    await expectSignInRefused(browser, running);
  });

  it('is healthy, with a sandbox for the external systems', async () => {
    const dataOf = async (route: string): Promise<unknown> =>
      ((await (await fetch(`${running.baseUrl}${route}`)).json()) as { readonly data: unknown }).data;
    expect(await dataOf('/config')).toMatchObject({ providers: { escrow: 'sandbox', ledgerNetwork: 'sandbox' } });
    const healthy = { status: 'healthy' };
    const dependencies = { escrowProvider: healthy, ledgerNetwork: healthy };
    // The gateway reads the state of the providers now and then, and a busy machine may miss the first time.
    await eventually(async () => expect(await dataOf('/health/detailed')).toMatchObject({ status: 'healthy', dependencies }));
  });

  it('exports every declared metric, and promtool finds no fault with them', async () => {
    const metrics = await (await fetch(running.metricsUrl)).text();
    expect(missingMetrics(metrics, [...declaredMetrics.keys()])).toEqual([]);
    expect(await checkMetrics(metrics)).toBe('');
  });

  it('refuses a second start on its data folder, and keeps running', async () => {
    const refused = await runProgram('allInOne', { ...settings, PORT: '0' });
    const reason = `Another Holdfast (process ${running.pid}) is running on ${dataDir} at ${running.baseUrl}`;
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(reason) });
    expect((await apiNow().get(`/users/${running.buyerId}/balance`)).status).toBe(200);
  });

  describeTraces(
    () => running,
    () => receiver,
  );

  it('is backed up while orders and a withdrawal run, and keeps running', async () => {
    underWay = await backUp(running, folders);
  });

  it('refuses to rotate the keys of its wallets while it runs', async () => {
    signedOn = await anOrder(apiNow());
    await bringTo(apiNow(), signedOn, 'release');
    const refused = await runProgram('rotateWalletKeys', settings);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('is running on') });
  });

  it('stops on SIGTERM with all that it has started, exports its last spans, and says where its data are', async () => {
    followed = await followOrders(browser, running);
    const requestId = await lastRequest(running);
    await stop('SIGTERM');
    expect(receiver.spans().map(({ attributes }) => attributes['holdfast.request_id'])).toContain(requestId);
    expect(running.output()).toContain(`Holdfast has stopped. Its data are in ${dataDir}.`);
  });

  it('is missed by the page of the console that was open', () => expectAwayNoticed(followed));
});

describe('npm start with another wallet master key', () => {
  it('is refused in a sentence that names both keys and what to do', async () => {
    const { code, output } = await runProgram('allInOne', { ...settings, PORT: '0', WALLET_MASTER_KEY: 'k'.repeat(40) });
    expect(code).toBe(1);
    expect(output).toMatch(
      /- WALLET_MASTER_KEY has the id [0-9a-f]{16}, but .* the key with the id [0-9a-f]{16}: start with that key/,
    );
    expect(output).not.toMatch(/^\s+at .*\.[jt]s:/m);
    expect(output.trimEnd().split('\n').at(-1)).toContain('- WALLET_MASTER_KEY has the id');
  });
});

describe('npm run rotate-wallet-keys', () => {
  it('takes one of two keys alone for a mistake', async () => {
    const refused = await runProgram('rotateWalletKeys', { ...settings, WALLET_MASTER_KEY: 'k'.repeat(40) });
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('WALLET_MASTER_KEY_PREVIOUS') });
  });

  it('gives the wallets of a stopped installation a new key', async () => {
    const old = readFileSync(walletKeyFile, 'utf8');
    const { code, output } = await runProgram('rotateWalletKeys', settings);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/[1-9]\d* wrapped with the new key/) });
    expect([readFileSync(walletKeyFile, 'utf8') === old, existsSync(`${walletKeyFile}-previous`)]).toEqual([false, false]);
  });
});

describe('the next npm start', () => {
  beforeAll(async () => {
    running = await startAllInOne(dataDir, { PORT: new URL(first.baseUrl).port });
  });

  it('is followed again by the page of the console that was left open', async () => {
    await expectFollowedAgain(followed, running);
    await followed.close();
  });

  it('has the key, the users and the balances of the first one', async () => {
    expect(running).toMatchObject({ masterKey: first.masterKey, buyerId: first.buyerId });
    expect((await apiNow().get(`/users/${running.buyerId}/balance`)).data).toMatchObject({ available: '25.00' });
  });

  it('signs with wallets whose key was rotated', async () => {
    const released = await call(apiNow(), signedOn, 'release');
    expect([released.status, await statusOf(apiNow(), signedOn)]).toEqual([200, 'CLOSED']);
  });
});

describe('npm start after it was killed between credits', () => {
  const confirmed = new Set<string>();
  const credits = 400;

  beforeAll(async () => {
    const { credit } = clientOf(running.baseUrl, running.masterKey);
    const sent = Array.from({ length: credits }, async (_, nth) => {
      const { status } = await credit(first.buyerId, '1.00', `credit-${nth.toString()}`);
      if (status === 200) confirmed.add(`credit-${nth.toString()}`);
    });
    await eventually(() => expect(confirmed.size).toBeGreaterThan(20));
    running.signal('SIGKILL');
    await Promise.allSettled(sent);
    expect(await running.ended).toBe('SIGKILL');
    await eventually(() => expect(isDatabaseRunning(dataDir)).toBe(false));
  });

  it('stops on a signal during its start', async () => {
    const program = startProgram('allInOne', { ...settings, PORT: '0' });
    await program.prints('starting the database');
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(isDatabaseRunning(dataDir)).toBe(false);
  });

  it('has every confirmed credit exactly once', async () => {
    running = await startWithNpm('start', dataDir);
    const { balance, credit } = clientOf(running.baseUrl, running.masterKey);
    const available = async (): Promise<number> => Number((await balance(first.buyerId)).data.available) - 25;
    const kept = await available();
    expect(kept).toBeGreaterThanOrEqual(confirmed.size);
    expect(kept).toBeLessThanOrEqual(credits);
    // A repeated credit returns its first result, so the sum shows that none is missing or double.
    const repeated = await Promise.all([...confirmed].map((reference) => credit(first.buyerId, '1.00', reference)));
    expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await available()).toBe(kept);
  });

  it('has sound books, says npm run verify-ledger while it runs and after one Ctrl-C, with which it stops in order', async () => {
    const sound = { code: 0, output: expect.stringContaining('Sound') };
    expect(await runProgram('verifyLedger', settings)).toMatchObject(sound);
    const before = running.output().length;
    await stop('SIGINT');
    expect(running.output().slice(before)).not.toMatch(/"level":"(warn|error)"/);
    expect(running.output()).toMatch(/"unfinished":\[\],"msg":"stopped"\}\nHoldfast has stopped\. Its data are in .*\n$/);
    expect(await runProgram('verifyLedger', settings)).toMatchObject(sound);
  });
});

describe('npm run restore', () => {
  it('is refused where a file of the backup was changed', async () => {
    await expectRefusedIfDamaged(folders);
  });

  it('has sound books, pays nothing until it is accepted, and never pays a withdrawal twice', async () => {
    running = await restore(folders, underWay);
    await stop('SIGTERM');
  });
});

function isDatabaseRunning(folder: string): boolean {
  const file = path.join(folder, 'postgres', 'data', 'postmaster.pid');
  return existsSync(file) && isRunning(Number.parseInt(readFileSync(file, 'utf8'), 10));
}
