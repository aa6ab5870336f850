import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { EventRecord } from '@holdfast/contracts/http';
import { purposeKeys } from '@holdfast/kernel/secrets';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { startMessageReordering, lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import type { AccountPlatform } from './accounts/person.js';
import { describeStrangers, describeTokens } from './accounts/refusals.js';
import { describeAccountApi } from './accounts/stories.js';
import { eventsOf, expected, typesOf } from './events/expected.js';
import { startReader, type Reader } from './events/reader.js';
import { expectReconciled } from './faults/agreement.js';
import { anOrder, bringTo, call, textOf, type Ending, type Order } from './faults/order-life.js';
import { sandboxControl, type SandboxControl } from './faults/sandbox-control.js';
import { apiOf, type Api } from './testing/api.js';
import { newDataDir, startDistributed, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms } from './testing/program.js';

jest.setTimeout(240_000);

const endings = ['release', 'refund', 'split', 'cancel'] as const satisfies readonly Ending[];
/** Nobody else's calls are to run into their time limits because a process was killed. */
const arrival = { timeoutMs: 60_000 };
const dataDir = newDataDir();
const orders = new Map<string, Order>();
let database: TestDatabase;
let names: DefaultNamespace;
let installation: RunningInstallation;
let api: Api;
let key: string;
let reader: Reader;
let sandbox: SandboxControl;

const failedFunding = 'failedFunding';

/** The provider refuses once, and takes the second attempt. */
async function playFailedFunding(): Promise<void> {
  const order = await anOrder(api);
  orders.set(failedFunding, order);
  await bringTo(api, order, 'fund');
  await sandbox.arm({ target: 'escrow-provider', operation: 'fund', kind: 'wrong-function' });
  expect((await call(api, order, 'fund')).code).toBe('ESCROW_FUNDING_FAILED');
  await sandbox.clear();
  expect((await call(api, order, 'fund')).status).toBe(201);
}

async function play(name: string, ending: Ending): Promise<void> {
  const order = await anOrder(api);
  orders.set(name, order);
  await bringTo(api, order, ending);
  expect((await call(api, order, ending)).status).toBe(ending === 'cancel' ? 201 : 200);
}

/** Events of requests before the order: several processes publish them, in no defined order. */
const beforeTheOrder = ['user.created', 'user.created', 'balance.credited'];

/** Orders of this test have no milestones. */
function expectedOf(ending: keyof typeof expected): readonly string[] {
  return expected[ending].slice(beforeTheOrder.length).filter((type) => type !== 'escrow.milestone_completed');
}

function isBeforeTheOrder({ eventType, payload }: EventRecord): boolean {
  return eventType === 'user.created' || payload['source'] === 'manual';
}

function expectedEventsOf(name: string): { readonly before: readonly string[]; readonly then: readonly string[] } {
  const order = orders.get(name);
  if (order === undefined) throw new Error(`${name} was not played`);
  const published = eventsOf(reader.events(), order);
  return {
    before: typesOf(published.filter(isBeforeTheOrder)),
    then: typesOf(published.filter((event) => !isBeforeTheOrder(event))),
  };
}

async function expectInOrder(name: string, ending: keyof typeof expected): Promise<void> {
  const wanted = { name, before: [...beforeTheOrder].sort(), then: expectedOf(ending) };
  await eventually(() => expect(expectedEventsOf(name).then.length).toBeGreaterThanOrEqual(wanted.then.length), arrival);
  const { before, then } = expectedEventsOf(name);
  expect({ name, before: [...before].sort(), then }).toEqual(wanted);
}

function killNotifications(): void {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).split('\n');
  const found = lines.map((line) => /^ *(\d+) +(\d+) .*service\.js notifications/.exec(line));
  const pid = found.find((match) => Number(match?.[1]) === installation.pid)?.[2];
  if (pid === undefined) throw new Error('no process of notifications is running');
  process.kill(Number(pid), 'SIGKILL');
}

beforeAll(async () => {
  database = await testDatabase();
  names = await lockDefaultNamespace();
  installation = await startDistributed(dataDir, {
    DATABASE_URL: database.adminUrl,
    INTERNAL_SECRET: database.internalSecret,
    AMQP_URL: names.url,
    LOG_LEVEL: 'warn',
  });
  const { baseUrl, masterKey, sandboxUrl } = installation;
  const made = await apiOf(baseUrl, masterKey).post('/auth/api-keys', { name: 'events', scopes: ['*'] });
  key = textOf(made.data, 'key');
  api = apiOf(baseUrl, key);
  reader = await startReader(baseUrl, key);
  sandbox = sandboxControl(sandboxUrl);
}, serverStartTimeoutMs);

afterAll(async () => {
  reader.stop();
  await killLeftPrograms();
  await names.release();
  await database.drop();
  await eventually(() => rmSync(dataDir, { recursive: true, force: true }));
});

describe('people, over RabbitMQ and with every part in a process of its own', () => {
  const platform = (): AccountPlatform => {
    const { adminUrl: DATABASE_URL, internalSecret: INTERNAL_SECRET } = database;
    const settings = { HOLDFAST_DATA_DIR: dataDir, DATABASE_URL, INTERNAL_SECRET };
    return { baseUrl: installation.baseUrl, api, sandbox, reader, settings };
  };

  describeStrangers(platform);
  describeTokens({
    platform,
    tokenKey: () => purposeKeys(database.internalSecret)('identity account tokens'),
    keys: () => [installation.masterKey, key],
  });
  const orders = describeAccountApi(platform);

  it('leave books and ledger network in agreement to the last unit', async () => {
    expect(orders()).toHaveLength(4);
    await expectReconciled({ database, sandbox, api }, orders());
  });
});

describe('the events of orders, over RabbitMQ and with every part in a process of its own', () => {
  it('are complete and in causal order for several concurrent orders', async () => {
    const played = [...endings, ...endings].map((ending, index) => ({ name: `${ending} ${index.toString()}`, ending }));
    await Promise.all(played.map(({ name, ending }) => play(name, ending)));
    for (const { name, ending } of played) await expectInOrder(name, ending);
  });

  it('are shown in causal order although later messages arrive earlier', async () => {
    const detour = await startMessageReordering(names.url, 'notifications', 700);
    const played = endings.map((ending) => ({ name: `${ending} on a detour`, ending }));
    await Promise.all(played.map(({ name, ending }) => play(name, ending)));
    await playFailedFunding();
    for (const { name, ending } of played) await expectInOrder(name, ending);
    await expectInOrder(failedFunding, failedFunding);
    expect(await detour.end()).toBeGreaterThan(0);
  });

  it('are each in the log once when the appending process is killed between them', async () => {
    const [before, during] = ['before the kill', 'during the kill'];
    await play(before, 'cancel');
    const playing = play(during, 'release');
    killNotifications();
    await playing;
    for (const [name, ending] of [[before, 'cancel'] as const, [during, 'release'] as const]) {
      await eventually(() => expect(new Set(expectedEventsOf(name).then)).toEqual(new Set(expectedOf(ending))), arrival);
    }
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
