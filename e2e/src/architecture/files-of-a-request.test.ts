import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startGateway } from '@holdfast/gateway';
import { identity } from '@holdfast/identity';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { orders } from '@holdfast/orders';
import { startService } from '@holdfast/service-kit';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { openObservedBroker } from '@holdfast/testing/services';
import { textOf } from '../faults/order-life.js';
import { apiOf, type Api } from '../testing/api.js';
import { gatewayDefaults } from '../testing/gateway-defaults.js';
import { watchExecutedFiles, type ExecutedFiles } from './executed-files.js';
import { repository } from './planted-tree.js';

/** With a lower number the test prints the files. */
const filesMax = 90;
/** Jobs and polls run meanwhile; a file of the request runs in every round. */
const rounds = 5;
/** Declarations, the driver of the broker, lists of exports, and what the test itself runs. */
const notCounted = /^(shared\/contracts|shared\/testing|e2e)\/|\/broker\/(in-process|rabbitmq)\/|\/index\.ts$/;
const nowhere = 'http://127.0.0.1:9';

type Running = {
  readonly api: Api;
  readonly database: TestDatabase;
  /** Called when the relay publishes. */
  readonly onPublish: (listener: () => void) => void;
  readonly stop: () => Promise<void>;
};

let running: Running;
let files: readonly string[];

beforeAll(async () => {
  running = await startAll();
  const executed = watchExecutedFiles();
  const lists: (readonly string[])[] = [];
  for (let round = 0; round < rounds; round += 1) lists.push(await filesOfFunding(executed));
  executed.close();
  files = (lists[0] ?? []).filter((file) => !notCounted.test(file) && lists.every((list) => list.includes(file)));
}, serverStartTimeoutMs);
afterAll(() => running.stop());

describe('POST /orders/{id}/escrow/fund, from the socket to the first publish', () => {
  it(`runs functions of at most ${filesMax.toString()} files, contracts apart`, () => {
    expect(files.length > filesMax ? files : []).toEqual([]);
    expect(files).toContain('services/orders/src/use-cases/request-funding.ts');
  });

  it('runs the files of the table in ARCHITECTURE.md', () => {
    const table = filesOfTable(readFileSync(path.join(repository, 'ARCHITECTURE.md'), 'utf8'));
    expect(table.length).toBeGreaterThan(10);
    expect(table.filter((file) => !files.includes(file))).toEqual([]);
  });
});

/** The first column of the table "One request", up to the file that publishes. */
function filesOfTable(page: string): readonly string[] {
  const [, table = ''] = page.split('## One request, file by file');
  const rows = [...table.matchAll(/^\| `([^`]+\.ts)` \|/gm)].map(([, file = '']) => file);
  return rows.slice(0, rows.indexOf('shared/messaging/src/outbox/relay.ts') + 1);
}

async function filesOfFunding(executed: ExecutedFiles): Promise<readonly string[]> {
  const { api, onPublish } = running;
  const id = await anOrderToFund();
  await api.get(`/orders/${id}`); // the gateway has just verified the key
  return new Promise((resolve, reject) => {
    onPublish(() => {
      resolve(executed.end());
      onPublish(() => undefined);
    });
    executed.begin();
    api.post(`/orders/${id}/escrow/fund`, {}).catch(reject); // nobody replies: 504, after the files are known
  });
}

/** As if its escrow had been created; the services that do so are not there. */
async function anOrderToFund(): Promise<string> {
  const { api, database } = running;
  const user = async (type: string) => textOf((await api.post('/users', { externalUserId: randomUUID(), type })).data, 'id');
  const [buyerId, sellerId] = [await user('BUYER'), await user('SELLER')];
  const id = textOf((await api.post('/orders', { buyerId, sellerId, amount: '10.00' })).data, 'id');
  await database.asAdmin(
    `update orders.orders
     set status = 'ESCROW_FUNDING', escrow_id = $2, escrow_status = 'CREATED', escrow_version = 1,
       contract_type = 'single-release', provider_contract_id = 'C1'
     where id = $1`,
    [id, id.replace('ord', 'esc')],
  );
  return id;
}

async function startAll(): Promise<Running> {
  const [clock, lifecycle, database] = [systemClock(), createLifecycle({ log: silentLog }), await testDatabase()];
  const { adminUrl, internalSecret } = database;
  let listener = (): void => undefined;
  const { broker: opened } = await openObservedBroker(database, [identity.name, orders.name]);
  lifecycle.onStop('broker', opened.close);
  const publish: typeof opened.publish = (messages) => {
    listener();
    return opened.publish(messages);
  };
  const broker = { ...opened, publish };
  const newId = idFactory(clock.epochMs);
  const given = { adminUrl, internalSecret, broker, clock, newId, lifecycle, log: silentLog, host: '127.0.0.1', port: 0 };
  const accounts = await startService(identity, { ...given, env: { LEDGER_BALANCE_URL: nowhere } });
  const env = { IDENTITY_URL: accounts.url, LEDGER_BALANCE_URL: nowhere, SETTLEMENT_TIMEOUT_MS: '1000' };
  const serviceUrls = { identity: accounts.url, orders: (await startService(orders, { ...given, env })).url };
  const masterKey = 'master-key-of-the-tests';
  const gateway = await startGateway({ ...given, ...gatewayDefaults(), masterKey, serviceUrls, rateLimitMax: 10_000 });
  lifecycle.onStop('gateway', gateway.stop);
  const baseUrl = `${gateway.url}/api/v1`;
  const { data } = await apiOf(baseUrl, masterKey).post('/auth/api-keys', { name: 'test', scopes: ['*'] });
  const stop = async (): Promise<void> => {
    await lifecycle.stop('the test is over');
    await database.drop();
  };
  return { api: apiOf(baseUrl, textOf(data, 'key')), database, onPublish: (next) => void (listener = next), stop };
}
