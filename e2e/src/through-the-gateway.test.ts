import { createHmac, randomUUID } from 'node:crypto';
import { startGateway } from '@holdfast/gateway';
import { identity } from '@holdfast/identity';
import { ledgerBalance } from '@holdfast/ledger-balance';
import { payments } from '@holdfast/payments';
import { systemClock } from '@holdfast/kernel/context';
import { allRoutes } from '@holdfast/contracts/http';
import { openApiDocument } from '@holdfast/contracts/openapi';
import { idFactory } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { startService } from '@holdfast/service-kit';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { openObservedBroker } from '@holdfast/testing/services';
import { gatewayDefaults } from './testing/gateway-defaults.js';

const masterKey = 'master-key-of-the-tests';
const limit = 200;
const webhookKey = Buffer.from('the payment webhook secret');

/** Nothing calls the provider here. */
const paymentSettings = {
  PUBLIC_URL: 'http://127.0.0.1:9',
  PAYMENT_PROVIDER_URL: 'http://127.0.0.1:9',
  PAYMENT_PROVIDER_KEY: 'key of the tests',
  PAYMENT_PROVIDER_SECRET: 'secret of the tests',
  PAYMENT_WEBHOOK_SECRET: `whsec_${webhookKey.toString('base64')}`,
};

/** The fields that responses of these routes may have. */
type Data = Readonly<Record<'id' | 'key' | 'token' | 'transferId' | 'available', string>>;
type RequestOptions = {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly method?: string;
};
type SendRequest = (
  path: string,
  options?: RequestOptions,
) => Promise<{ status: number; headers: Headers; data: Data; code: string | undefined }>;
type Running = {
  readonly replicas: readonly [SendRequest, SendRequest];
  readonly database: TestDatabase;
  readonly stop: () => Promise<void>;
};

let running: Running;
beforeAll(async () => void (running = await startAll()), serverStartTimeoutMs);
afterAll(() => running.stop());

/** Two gateways before the same services, as behind a load balancer. */
async function startAll(): Promise<Running> {
  const [clock, lifecycle, database] = [systemClock(), createLifecycle({ log: silentLog }), await testDatabase()];
  const { adminUrl, internalSecret } = database;
  const { broker } = await openObservedBroker(database, [identity.name, ledgerBalance.name, payments.name]);
  lifecycle.onStop('broker', broker.close);
  const newId = idFactory(clock.epochMs);
  const given = { adminUrl, internalSecret, broker, clock, newId, lifecycle, log: silentLog, host: '127.0.0.1', port: 0 };
  const accounts = await startService(identity, { ...given, env: { LEDGER_BALANCE_URL: 'http://127.0.0.1:9' } });
  const ledger = await startService(ledgerBalance, { ...given, env: { IDENTITY_URL: accounts.url } });
  const receiver = await startService(payments, { ...given, env: { IDENTITY_URL: accounts.url, ...paymentSettings } });
  const open = async (): Promise<SendRequest> => {
    const gateway = await startGateway({
      ...given,
      masterKey,
      ...gatewayDefaults(),
      serviceUrls: { identity: accounts.url, 'ledger-balance': ledger.url, payments: receiver.url },
      rateLimitMax: limit,
    });
    lifecycle.onStop('gateway', gateway.stop);
    return sendTo(gateway.url);
  };
  const stop = async (): Promise<void> => {
    await lifecycle.stop('the test is over');
    await database.drop();
  };
  return { replicas: [await open(), await open()], database, stop };
}

function sendTo(url: string): SendRequest {
  return async (path, { key = masterKey, body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as { data: Data; error?: { code: string } };
    return { status: response.status, headers: response.headers, data, code: error?.code };
  };
}

async function aKey(): Promise<{ readonly id: string; readonly key: string }> {
  return (await running.replicas[0]('/auth/api-keys', { body: { name: 'test', scopes: ['*'] } })).data;
}

async function aUser(key: string): Promise<string> {
  return (await running.replicas[0]('/users', { key, body: { externalUserId: randomUUID() } })).data.id;
}

describe('a key', () => {
  it('opens every replica until it is revoked, its tokens too, and then none', async () => {
    const { id, key } = await aKey();
    const { data: token } = await running.replicas[0](`/auth/api-keys/${id}/token`, { key, body: {} });
    const statuses = () =>
      Promise.all(
        running.replicas.flatMap((send) => [key, token.token].map(async (one) => (await send('/auth/me', { key: one })).status)),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect((await running.replicas[1](`/auth/api-keys/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });
});

describe('a user of another marketplace', () => {
  const document = openApiDocument(allRoutes, [], '1.0.0');
  const owners: readonly string[] = [identity.name, ledgerBalance.name];
  const ofUsers = allRoutes.filter(({ path, service }) => path.startsWith('/users/{') && owners.includes(service));

  it('404 USER_NOT_FOUND on every route, as if there were none', async () => {
    const [send] = running.replicas;
    const { data: user } = await send('/users', { body: { externalUserId: randomUUID() } });
    const { data: other } = await send('/marketplaces', { body: { name: 'Another one' } });
    const { data: stranger } = await send('/auth/api-keys', { body: { name: 'x', scopes: ['*'], marketplaceId: other.id } });
    const responses = ofUsers.map(async ({ method, path, name }) => {
      const media = document.paths[path]?.[method]?.requestBody?.content['application/json'];
      const body = method === 'get' ? undefined : (media?.examples['request']?.['value'] ?? {});
      const period = name === 'statements.get' ? '?from=2026-01-01&to=2026-02-01' : '';
      const { status, code } = await send(path.replace(/\{\w+\}/, user.id) + period, {
        key: stranger.key,
        method: method.toUpperCase(),
        body,
      });
      return [name, status, code];
    });
    expect(await Promise.all(responses)).toEqual(ofUsers.map(({ name }) => [name, 404, 'USER_NOT_FOUND']));
  });
});

describe('an Idempotency-Key', () => {
  it('of 50 parallel duplicates over two replicas has exactly one effect', async () => {
    const { key } = await aKey();
    const userId = await aUser(key);
    const options = { key, body: { amount: '5.00' }, headers: { 'idempotency-key': randomUUID() } };
    const path = `/users/${userId}/balance/credit`;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => running.replicas[index % 2 === 0 ? 0 : 1](path, options)),
    );
    const done = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status !== 200);
    expect(new Set(done.map(({ data }) => data.transferId)).size).toBe(1);
    expect(done.filter(({ headers }) => headers.get('idempotency-replay') === null)).toHaveLength(1);
    expect(new Set(refused.map(({ code }) => code ?? ''))).toEqual(
      new Set(refused.length === 0 ? [] : ['IDEMPOTENCY_KEY_IN_PROGRESS']),
    );
    expect((await running.replicas[0](`/users/${userId}/balance`, { key })).data.available).toBe('5.00');
  });

  it('is recognised by the service when the gateway died before it stored the response', async () => {
    const { key, id } = await aKey();
    const userId = await aUser(key);
    const options = { key, body: { amount: '7.00' }, headers: { 'idempotency-key': randomUUID() } };
    const first = await running.replicas[0](`/users/${userId}/balance/credit`, options);
    const died = `
      update gateway.idempotency_records
      set response = null, claim_id = gen_random_uuid(), claimed_until = now() + make_interval(secs => $2)
      where owner = $1`;
    await running.database.asAdmin(died, [id, 60]);
    expect((await running.replicas[1](`/users/${userId}/balance/credit`, options)).code).toBe('IDEMPOTENCY_KEY_IN_PROGRESS');
    await running.database.asAdmin(died, [id, -1]);
    const again = await running.replicas[1](`/users/${userId}/balance/credit`, options);
    expect([again.status, again.data.transferId]).toEqual([200, first.data.transferId]);
    expect((await running.replicas[0](`/users/${userId}/balance`, { key })).data.available).toBe('7.00');
  });

  it('returns a new API key again when its response was lost, and stores it encrypted', async () => {
    const options = { body: { name: 'once', scopes: ['read'] }, headers: { 'idempotency-key': randomUUID() } };
    const [first, again] = [
      await running.replicas[0]('/auth/api-keys', options),
      await running.replicas[1]('/auth/api-keys', options),
    ];
    expect([again.data, again.headers.get('idempotency-replay')]).toEqual([first.data, 'true']);
    const stored = await running.database.asAdmin<{ readonly response: string }>(
      `select encode(response, 'escape') as response from gateway.idempotency_records where owner = 'master'`,
    );
    expect(stored.map(({ response }) => response).join()).not.toContain('hk_live');
  });
});

const wave = 10;

/**
 * Sends so many requests to both gateways, a few at once. A gateway counts alone if the database does not count a request within 2 s, and
 * with all at once a slow machine may take as long.
 */
async function inWaves(
  count: number,
  send: (replica: 0 | 1) => Promise<{ readonly status: number }>,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) {
    const size = Math.min(wave, count - statuses.length);
    const responses = await Promise.all(Array.from({ length: size }, (_, index) => send(index % 2 === 0 ? 0 : 1)));
    statuses.push(...responses.map(({ status }) => status));
  }
  return statuses;
}

describe('the rate limit', () => {
  it('is exact over two replicas', async () => {
    const { key } = await aKey();
    const statuses = await inWaves(limit + 50, (replica) => running.replicas[replica]('/auth/me', { key }));
    expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length]).toEqual([
      limit,
      50,
    ]);
  });

  it('never refuses a validly signed webhook, and counts the others for their address', async () => {
    const send = (key: Buffer, replica: 0 | 1) => {
      const body = { type: 'payin.confirmed', data: { id: randomUUID(), code: 'unknown', amount: 1 } };
      const options = { key: '', body, headers: signatureOf(JSON.stringify(body), key) };
      return running.replicas[replica]('/webhooks/payment-provider', options);
    };
    const statusesOf = (count: number, key: Buffer) => inWaves(count, (replica) => send(key, replica));
    const wrongKey = Buffer.from('another secret');
    expect(new Set(await statusesOf(limit + 50, webhookKey))).toEqual(new Set([200]));
    // Other tests have sent requests without a valid credential from this address.
    const left = Number((await send(wrongKey, 0)).headers.get('x-ratelimit-remaining'));
    expect(left).toBeGreaterThan(limit / 2);
    const refused = await statusesOf(left + 50, wrongKey);
    const countOf = (wanted: number): number => refused.filter((status) => status === wanted).length;
    expect([countOf(401), countOf(429)]).toEqual([left, 50]);
    expect(new Set(await statusesOf(30, webhookKey))).toEqual(new Set([200]));
  });
});

/** According to Standard Webhooks. */
function signatureOf(body: string, key: Buffer): Record<string, string> {
  const [id, timestamp] = [randomUUID(), String(Math.floor(systemClock().epochMs() / 1_000))];
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { authorization: '', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
