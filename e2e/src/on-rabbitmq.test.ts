import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { findRunning } from '@holdfast/all-in-one';
import { serviceNames } from '@holdfast/contracts/services';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { startMessageLoss, startMessageReordering } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { startReader, type Reader } from './events/reader.js';
import { expectPaidOnce, expectReconciled } from './faults/agreement.js';
import { chosenDeaths } from './faults/kill-cases.js';
import { chosenLosses } from './faults/loss-cases.js';
import { anOrder, driveToEnd, type Ending, type Order } from './faults/order-life.js';
import { expectPaymentsAgree } from './faults/payment-life.js';
import { faultSettings, processesOf, type Platform } from './faults/platform.js';
import { playDeath } from './faults/play-kills.js';
import { playAdvanceThroughDeath } from './faults/play-timers.js';
import { openRuns, playLosses } from './faults/play-losses.js';
import { playUnrepeatedLoss } from './faults/play-unrepeated.js';
import { sandboxControl } from './faults/sandbox-control.js';
import { depositLoss } from './faults/unrepeated-cases.js';
import { storiesOf, type Stories } from './on-rabbitmq/stories.js';
import { apiOf } from './testing/api.js';
import { newDataDir, startWithNpm, type RunningInstallation } from './testing/installation.js';
import { childrenOf, commandOf, descendantsOf, runningOf } from './testing/processes.js';
import { killLeftPrograms } from './testing/program.js';

jest.setTimeout(240_000);

const endings = ['release', 'refund', 'split', 'cancel'] as const satisfies readonly Ending[];

/** How long RabbitMQ may take to start on a loaded machine, and the services to find it. */
const restartTimeoutMs = 150_000;

/** `npm run start:distributed`: every service and the gateway in its own process, on a private RabbitMQ. */
const dataDir = newDataDir();
let database: TestDatabase;
let amqpUrl: string;
let installation: RunningInstallation;
let platform: Platform;
let reader: Reader;
let stories: Stories;
const orders: Order[] = [];

beforeAll(async () => {
  database = await testDatabase();
  const access = { DATABASE_URL: database.adminUrl, INTERNAL_SECRET: database.internalSecret };
  installation = await startWithNpm('start:distributed', dataDir, { ...access, ...faultSettings });
  const { baseUrl, masterKey, sandboxUrl } = installation;
  amqpUrl = findRunning(dataDir)?.amqpUrl ?? '';
  const [api, sandbox] = [apiOf(baseUrl, masterKey), sandboxControl(sandboxUrl)];
  const lose: Platform['lose'] = (messages, after) => startMessageLoss(amqpUrl, messages, after);
  platform = { ...processesOf(installation, dataDir), api, sandbox, database, accountUrl: new URL(baseUrl).origin, lose };
  reader = await startReader(baseUrl, masterKey);
  stories = storiesOf({ api, sandbox, reader });
}, serverStartTimeoutMs);

afterAll(async () => {
  reader.stop();
  await killLeftPrograms();
  await database.drop();
  await eventually(() => rmSync(dataDir, { recursive: true, force: true }));
});

describe('npm run start:distributed', () => {
  it('runs every service in its own process, and prints a command that changes a balance', () => {
    const commands = childrenOf(installation.pid).map(commandOf);
    const missing = ['gateway', ...serviceNames].filter((name) => !commands.some((command) => command.includes(`\0${name}\0`)));
    expect(missing).toEqual([]);
    const pasted = JSON.parse(execFileSync('/bin/sh', ['-c', installation.curl], { encoding: 'utf8' }));
    expect(pasted.data).toMatchObject({ userId: installation.buyerId, available: '25.00' });
  });
});

describe('the events of orders', () => {
  afterEach(() => platform.sandbox.clear());

  it('are complete and in causal order for several concurrent orders', async () => {
    await Promise.all(endings.map((ending) => stories.play(ending, ending)));
    for (const ending of endings) await stories.expectInOrder(ending, ending);
  });

  it('are shown in causal order although later messages arrive earlier', async () => {
    const detour = await startMessageReordering(amqpUrl, 'notifications', 700);
    const played = endings.map((ending) => ({ name: `${ending} on a detour`, ending }));
    await Promise.all(played.map(({ name, ending }) => stories.play(name, ending)));
    await stories.playFailedFunding('failed funding');
    for (const { name, ending } of played) await stories.expectInOrder(name, ending);
    await stories.expectInOrder('failed funding', 'failedFunding');
    expect(await detour.end()).toBeGreaterThan(0);
  });

  it('are each in the log once when the appending process is killed between them', async () => {
    const playing = stories.play('during the kill', 'release');
    platform.kill('notifications');
    await installation.prints('notifications was ended by SIGKILL; restarting it in 0.5 s');
    await playing;
    await stories.expectComplete('during the kill', 'release');
    const [row] = await database.asAdmin<{ readonly count: string; readonly different: string; readonly last: string }>(
      'select count(*) as count, count(distinct event_id) as different, max(position) as last from notifications.events',
    );
    expect([row?.different, row?.last]).toEqual([row?.count, row?.count]);
  });

  it('have moments that strictly increase', () => {
    const moments = reader.events().map(({ occurredAt }) => occurredAt);
    expect([...new Set(moments)]).toEqual([...new Set(moments)].sort());
  });
});

describe('a message that RabbitMQ has lost', () => {
  afterEach(() => platform.sandbox.clear());

  it('is the reply to reserve, cancel, fund, refund and the release of a milestone at the same time: every run ends, although orders is killed', async () => {
    orders.push(...(await playLosses(platform, chosenLosses, true)));
  });

  it('is a deposit, which no run resends: it is credited once', async () => {
    await playUnrepeatedLoss(platform, depositLoss);
  });
});

describe('a process killed with -9', () => {
  afterEach(() => platform.sandbox.clear());

  it.each(chosenDeaths.map((death) => [death.service, death] as const))(
    '%s: what was under way ends as it would have, with one effect',
    async (_, death) => {
      orders.push(...(await playDeath(platform, death)));
    },
  );

  it('orders, in the middle of an advance of the test clock: the next one continues, and everything is paid once', async () => {
    orders.push(...(await playAdvanceThroughDeath(platform)));
  });

  it('RabbitMQ: it is started again, and orders complete afterwards', async () => {
    const order = await anOrder(platform.api);
    const [broker = 0] = descendantsOf(installation.pid).filter((pid) => commandOf(pid).includes('beam.smp'));
    process.kill(broker, 'SIGKILL');
    await installation.prints('RabbitMQ ended unexpectedly; restarting it in 0.5 s');
    await driveToEnd(platform.api, order, 'release', restartTimeoutMs);
    await eventually(() => expectPaidOnce(platform.api, order, 'release'));
    orders.push(order);
  });
});

describe('after all that went wrong', () => {
  it('books and ledger network agree to the last unit, and no run is open', async () => {
    await driveStoriesToEnd();
    await expectReconciled(platform, [...stories.orders(), ...orders]);
    await eventually(async () => expect(await openRuns(platform)).toEqual([]));
  });

  it('journal and payment provider agree to the last unit, and no payment is open', async () => {
    await expectPaymentsAgree(platform);
  });

  it('one Ctrl-C stops every process, then RabbitMQ, with nothing to worry about on the screen', async () => {
    const started = descendantsOf(installation.pid);
    expect(started.length).toBeGreaterThan(serviceNames.length + 1);
    const before = installation.output().length;
    installation.signal('SIGINT');
    expect(await installation.ended).toBe(0);
    expect(runningOf(started).map(commandOf)).toEqual([]);
    const screen = installation.output().slice(before);
    expect(screen).not.toMatch(/"level":"(warn|error)"|^\s+at /m);
    expect(screen).toMatch(/Holdfast has stopped\..*\n$/);
  });
});

/** The order whose funding failed once is funded, and the only one that is still open. */
async function driveStoriesToEnd(): Promise<void> {
  for (const order of stories.orders()) await driveToEnd(platform.api, order, 'release');
}
