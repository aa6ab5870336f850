import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Envelope } from '@holdfast/contracts/messages';
import { findRabbitmq, installRabbitmq, startPrivateRabbitmq, type PrivateRabbitmq } from '@holdfast/dev-servers/rabbitmq';
import {
  anEnvelope,
  envelopes,
  idsOf,
  openParkedTables,
  recorder,
  testBroker,
  testRetryDelaysMs,
  testTopology,
  type ParkedTables,
  type TestBroker,
} from '@holdfast/testing/broker';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { connectRabbitmq } from './connect-rabbitmq.js';

const run = promisify(execFile);
const testTimeoutMs = 120_000;
const recoverTimeoutMs = 60_000;

/** A private server, because these tests stop and kill it. */
let dataDir: string;
let server: PrivateRabbitmq;
let broker: TestBroker;
let parked: ParkedTables;

beforeAll(async () => {
  if (findRabbitmq() === undefined) await installRabbitmq();
  dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-test-rabbitmq-'));
  server = await startPrivateRabbitmq({ dataDir });
  parked = await openParkedTables();
}, serverStartTimeoutMs);
afterAll(async () => {
  await server.stop();
  await parked.drop();
  rmSync(dataDir, { recursive: true, force: true });
}, testTimeoutMs);

beforeEach(async () => {
  const options = { topology: testTopology, log: silentLog, retryDelaysMs: testRetryDelaysMs, publishTimeoutMs: 2_000 };
  broker = testBroker(await connectRabbitmq({ ...options, url: server.url }), parked.of);
});
afterEach(() => broker.close());

async function publishWithRetry(list: readonly Envelope[]): Promise<void> {
  await eventually(() => broker.publish(list), { timeoutMs: recoverTimeoutMs });
}

/** Runs `rabbitmqctl` against the private server. */
async function rabbitmqctl(...args: readonly string[]): Promise<void> {
  const [, epmdPort] = readFileSync(path.join(dataDir, 'holder'), 'utf8').split(' ');
  const tool = path.join(path.dirname(findRabbitmq()?.server ?? ''), 'rabbitmqctl');
  await run('env', [`HOME=${dataDir}/home`, `ERL_EPMD_PORT=${epmdPort ?? ''}`, tool, '-n', 'holdfast@localhost', ...args]);
}

describe('a restarted RabbitMQ', () => {
  it.each([
    ['is restarted', () => server.restart()],
    [
      'is killed and started again',
      async () => {
        await server.kill();
        await server.restart();
      },
    ],
  ])(
    'loses no message when it %s, and clients reconnect',
    async (_, interrupt) => {
      const orders = recorder();
      const before = envelopes(200, { type: 'b.happened' });
      await broker.publish(before);
      const during = envelopes(200, { type: 'b.happened' });
      await Promise.all([publishWithRetry(during), interrupt()]);
      await broker.consume('orders', { prefetch: 50 }, orders.handler);
      const after = envelopes(50, { type: 'b.happened' });
      await publishWithRetry(after);
      const all = new Set(idsOf([...before, ...during, ...after]));
      await eventually(() => expect(new Set(orders.ids())).toEqual(all), { timeoutMs: recoverTimeoutMs });
      expect(await broker.listParked('orders', 10)).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'delivers to consumers while it blocks publishers',
    async () => {
      const orders = recorder();
      const waiting = envelopes(10, { type: 'b.happened' });
      await broker.publish(waiting);
      await rabbitmqctl('set_vm_memory_high_watermark', '0.0000001');
      const refused = anEnvelope({ type: 'b.happened' });
      await expect(broker.publish([refused])).rejects.toThrow('not confirmed within 2000 ms');
      expect(broker.isHealthy()).toBe(false);
      await broker.consume('orders', { prefetch: 50 }, orders.handler);
      await eventually(() => expect(orders.ids()).toEqual(idsOf(waiting)));
      await rabbitmqctl('set_vm_memory_high_watermark', '0.4');
      await publishWithRetry([refused]);
      await eventually(() => expect(orders.ids()).toContain(refused.id));
    },
    testTimeoutMs,
  );
});
