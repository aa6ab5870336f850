import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { connectRabbitmq, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import type { UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { startCuttingProxy, lockDefaultNamespace, type CuttingProxy, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { checkMetrics, missingMetrics } from './testing/exported-metrics.js';
import { clientOf, type Client } from './testing/client.js';
import { newDataDir, startAllInOne, startDistributed, type RunningInstallation } from './testing/installation.js';
import { aNewUser, aReservation } from './testing/messages.js';
import { startGatewayTo, startReplica, statusOf, type PartSettings, type RunningPart } from './testing/parts.js';
import { commandOf, descendantsOf } from './testing/processes.js';
import { isRunning, killLeftPrograms, runProgram } from './testing/program.js';

jest.setTimeout(240_000);

const masterKey = 'the-master-key-of-the-distributed-test';

let database: TestDatabase;
let names: DefaultNamespace;
let amqpUrl: string;

beforeAll(async () => {
  database = await testDatabase();
  names = await lockDefaultNamespace();
  amqpUrl = names.url;
}, serverStartTimeoutMs);

afterAll(async () => {
  await killLeftPrograms();
  await names.release();
  await database.drop();
});

const access = () => ({ DATABASE_URL: database.adminUrl, INTERNAL_SECRET: database.internalSecret });

describe('parts in processes of their own', () => {
  let proxy: CuttingProxy;
  let broker: Broker;
  let settings: PartSettings;
  let replicas: readonly RunningPart[];
  let clients: readonly Client[];

  beforeAll(async () => {
    proxy = await startCuttingProxy(database.adminUrl);
    settings = { databaseUrl: proxy.url, amqpUrl, internalSecret: database.internalSecret, masterKey };
    const topology = topologyOf(allMessages, serviceNames);
    broker = await connectRabbitmq({ url: amqpUrl, topology, log: silentLog });
    replicas = await Promise.all([startReplica('ledger-balance', settings), startReplica('ledger-balance', settings)]);
    clients = await Promise.all(replicas.map(openClient));
  });

  afterAll(async () => {
    await killLeftPrograms();
    await broker.close();
    await proxy.close();
  });

  /** Each replica has a gateway of its own, so that a test chooses the replica of a request. */
  async function openClient(replica: RunningPart): Promise<Client> {
    const gateway = await startGatewayTo(replica, settings);
    return clientOf(`${gateway.url}/api/v1`, masterKey);
  }

  function client(index: number): Client {
    const chosen = clients[index % clients.length];
    if (chosen === undefined) throw new Error('there is no client');
    return chosen;
  }

  async function aKnownUser(): Promise<UserId> {
    const userCreated = aNewUser();
    await broker.publish([userCreated]);
    await eventually(async () => expect((await client(0).balance(userCreated.aggregateId)).status).toBe(200));
    return userCreated.aggregateId;
  }

  describe('two replicas of the ledger', () => {
    it('that started at once on an empty database applied each migration once, and are alive and ready', async () => {
      const rows = await database.asAdmin<{ readonly name: string }>('select name from ledger_balance.migrations');
      expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
      expect(rows.length).toBeGreaterThan(1);
      for (const { url, metricsUrl } of replicas) {
        expect(await statusOf(`${metricsUrl}/livez`)).toBe(200);
        expect(await statusOf(`${metricsUrl}/readyz`)).toBe(200);
        expect(await statusOf(`${url}/metrics`)).toBe(404);
        const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
        expect(missingMetrics(metrics, ['ledger-balance'])).toEqual([]);
        expect(await checkMetrics(metrics)).toBe('');
        expect(await statusOf(`${url}/api/v1/users/usr_1/balance`)).toBe(401); // nobody reaches a service past the gateway
      }
    });

    it('share one balance, whichever replica gets the request', async () => {
      const userId = await aKnownUser();
      const responses = await Promise.all(Array.from({ length: 100 }, (_, index) => client(index).credit(userId, '0.10')));
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
      expect((await client(0).balance(userId)).data.available).toBe('10.00');
      expect((await client(1).balance(userId)).data.available).toBe('10.00');
    });

    it('act once on a message, however often it comes', async () => {
      const userCreated = aNewUser();
      await broker.publish([userCreated, userCreated]);
      await broker.publish([userCreated]);
      await eventually(async () => expect((await client(1).balance(userCreated.aggregateId)).status).toBe(200));
      await client(0).credit(userCreated.aggregateId, '50.00');

      const reservation = aReservation(userCreated.aggregateId, '20.00');
      const later = aReservation(userCreated.aggregateId, '5.00');
      await Promise.all([1, 2, 3, 4].map(() => broker.publish([reservation])));
      await broker.publish([reservation, later]);

      await eventually(async () => expect((await client(0).balance(userCreated.aggregateId)).data.reserved).toBe('25.00'));
      expect((await client(0).balance(userCreated.aggregateId)).data.available).toBe('25.00');
    });
  });

  describe('a replica that is killed under load', () => {
    it('loses nothing: confirmed credits exist once, and the other replica handles what is left', async () => {
      const userId = await aKnownUser();
      await client(0).credit(userId, '100.00');
      const doomed = await startReplica('ledger-balance', settings);
      const ways = [await openClient(doomed), client(0)] as const;
      const credited = new Set<number>();
      const credits = Array.from({ length: 300 }, async (_, index) => {
        await creditPatiently(ways, userId, `credit-${index}`);
        credited.add(index);
      });
      const published = broker.publish(Array.from({ length: 100 }, () => aReservation(userId, '1.00')));

      await eventually(() => expect(credited.size).toBeGreaterThan(10));
      doomed.signal('SIGKILL');
      await Promise.all([published, ...credits]);

      expect(await doomed.ended).toBe('SIGKILL');
      await eventually(async () => {
        expect((await client(0).balance(userId)).data).toMatchObject({ available: '300.00', reserved: '100.00' });
      });
      const journal = await database.asAdmin<{ readonly count: bigint }>(
        `select count(*)::int as count from ledger_balance.transfers where reference like 'credit-%'`,
      );
      expect(journal[0]?.count).toBe(300);
    });
  });

  describe('a database that is gone', () => {
    it('503 SERVICE_UNAVAILABLE with Retry-After, not ready but alive, and back without a restart', async () => {
      const userId = await aKnownUser();
      proxy.cut();
      const refused = await client(0).credit(userId, '7.00', 'while it was gone');
      const url = replicas[0]?.metricsUrl ?? '';
      expect(refused).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await statusOf(`${url}/readyz`)).toBe(503);
      expect(await statusOf(`${url}/livez`)).toBe(200);

      const userCreated = aNewUser();
      await broker.publish([userCreated]);
      proxy.mend();

      await eventually(async () => expect((await client(0).credit(userId, '7.00', 'while it was gone')).status).toBe(200));
      await eventually(async () => expect(await statusOf(`${url}/readyz`)).toBe(200));
      expect((await client(1).balance(userId)).data.available).toBe('7.00');
      await eventually(async () => expect((await client(1).balance(userCreated.aggregateId)).status).toBe(200), {
        timeoutMs: 30_000,
      });
    });
  });
});

/** Like a careful client: repeats the same reference through the other gateway until there is a response. */
async function creditPatiently(ways: readonly [Client, Client], userId: UserId, reference: string): Promise<void> {
  for (const way of [...ways, ...ways]) {
    const response = await way.credit(userId, '1.00', reference).catch(() => undefined);
    if (response?.status === 200) return;
    expect([undefined, 502, 503, 504]).toContain(response?.status);
  }
  throw new Error(`${reference} was never answered`);
}

describe('npm run start:distributed', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = newDataDir();
  });
  afterEach(async () => {
    await killLeftPrograms();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('runs every part, starts one again that died, and leaves nothing running when it is killed', async () => {
    const installation = await startDistributed(dataDir, { ...access(), AMQP_URL: amqpUrl });
    const client = clientOf(installation.baseUrl, installation.masterKey);
    const pasted = JSON.parse(execFileSync('/bin/sh', ['-c', installation.curl], { encoding: 'utf8' }));
    expect(pasted.data).toMatchObject({ userId: installation.buyerId, available: '25.00' });

    const [victim = 0] = partsOf(installation)
      .filter(({ name }) => name === 'ledger-balance')
      .map(({ pid }) => pid);
    process.kill(victim, 'SIGKILL');
    await installation.prints('ledger-balance was ended by SIGKILL; restarting it in 0.5 s');
    await eventually(async () => expect((await client.balance(installation.buyerId)).data.available).toBe('25.00'));

    const parts = partsOf(installation);
    expect(parts.map(({ name }) => name).sort()).toEqual(['gateway', ...serviceNames].sort());
    installation.signal('SIGKILL');
    expect(await installation.ended).toBe('SIGKILL');
    await eventually(() => expect(parts.filter(({ pid }) => isRunning(pid))).toEqual([]));
  });

  it('starts its private RabbitMQ again when that is killed, orders complete afterwards, and it stops them all', async () => {
    const installation = await startDistributed(dataDir, access());
    const brokers = (): readonly number[] => descendantsOf(installation.pid).filter((pid) => commandOf(pid).includes('beam.smp'));
    const [broker = 0] = brokers();
    process.kill(broker, 'SIGKILL');
    await installation.prints('RabbitMQ ended unexpectedly; restarting it in 0.5 s');
    await eventually(
      async () => {
        const demo = await runProgram('demo', { HOLDFAST_DATA_DIR: dataDir, ...access() });
        expect(demo).toMatchObject({ code: 0, output: expect.stringContaining('Sound: every rule of the books holds.') });
      },
      { timeoutMs: 120_000 },
    );
    const parts = partsOf(installation);
    const [restarted = 0] = brokers();
    installation.signal('SIGTERM');
    expect(await installation.ended).toBe(0);
    expect([...parts, { pid: restarted }].filter(({ pid }) => isRunning(pid))).toEqual([]);
  });
});

describe('npm start on given servers', () => {
  it('uses them, stores only secrets and sandbox data, and lists its parked messages', async () => {
    const dataDir = newDataDir();
    const servers = { ...access(), AMQP_URL: amqpUrl };
    const installation = await startAllInOne(dataDir, servers);
    const { status } = await clientOf(installation.baseUrl, installation.masterKey).credit(installation.buyerId, '1.00', 'given');
    expect(status).toBe(200);
    expect(installation.output()).toContain(`RabbitMQ at ${new URL(amqpUrl).host}`);
    const rows = await database.asAdmin(`select id from ledger_balance.transfers where reference = 'given'`);
    expect(rows).toHaveLength(1);

    const parked = await runProgram('parked', { HOLDFAST_DATA_DIR: dataDir, ...servers }, 'list');
    expect(parked).toMatchObject({ code: 0, output: expect.stringContaining('No messages are parked') });
    installation.signal('SIGTERM');
    expect(await installation.ended).toBe(0);
    expect(readdirSync(dataDir).sort()).toEqual([
      'escrow-webhook-secret',
      'holdfast.json',
      'master-key',
      'payment-webhook-secret',
      'platform-seed',
      'sandbox',
      'treasury-seed',
      'wallet-master-key',
    ]);
    rmSync(dataDir, { recursive: true });
  });
});

/** The processes it has started, by the name of the part. */
function partsOf({ pid }: RunningInstallation): readonly { readonly pid: number; readonly name: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, parent, child, name] = /^ *(\d+) +(\d+) .*service\.js (\S+)/.exec(line) ?? [];
    return Number(parent) === pid ? [{ pid: Number(child), name: name ?? '' }] : [];
  });
}
