import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock, toInstant } from '@holdfast/kernel/context';
import { verify, type HoldfastEvent } from '@holdfast/sdk';
import { eventually } from '@holdfast/testing/eventually';
import { freePort, serverStartTimeoutMs } from '@holdfast/testing/servers';
import { jsonOf, runFile, runHoldfast } from './cli/run-holdfast.js';
import { textOf } from './faults/order-life.js';
import { killLeftPrograms, startProgram } from './testing/program.js';
import { openMarketplace, settingsOf, sharedPlatform, type Marketplace } from './testing/shared-platform.js';
import { startWebhookReceiver } from './testing/webhook-receiver.js';

let marketplace: Marketplace;
let settings: Readonly<Record<string, string>>;
let masterKey: string;
let stateHome: string;

beforeAll(async () => {
  const platform = await sharedPlatform();
  ({ masterKey } = platform);
  marketplace = await openMarketplace(platform, 'cli');
  stateHome = mkdtempSync(path.join(tmpdir(), 'holdfast-cli-state-'));
  // With CI, which libraries take for a terminal with colours.
  settings = { ...settingsOf(platform), HOLDFAST_KEY: marketplace.key, XDG_STATE_HOME: stateHome, CI: 'true' };
}, serverStartTimeoutMs);

afterEach(killLeftPrograms);
afterAll(() => rmSync(stateHome, { recursive: true, force: true }));

const holdfast = (...args: readonly string[]) => runHoldfast(settings, ...args);
const json = (...args: readonly string[]) => jsonOf(settings, ...args);

const clock = systemClock();
const hourMs = 3_600_000;
const inHours = (hours: number): string => toInstant(clock.epochMs() + hours * hourMs);

/** A user with a linked payment account, made without the CLI, which takes a second for each command. */
async function aUser(name: string): Promise<string> {
  const { api } = marketplace;
  const id = textOf((await api.post('/users', { externalUserId: name })).data, 'id');
  await api.post(`/users/${id}/payment-account/link`, { email: `${name}@example.com` });
  return id;
}

describe('holdfast', () => {
  it('runs as "npm run holdfast" and "npx --no holdfast" on the platform of the data folder', async () => {
    const [byNpm, byNpx] = await Promise.all([
      runFile('npm', ['run', '--silent', 'holdfast', '--', 'keys', 'get-current', '--json'], settings),
      runFile('npx', ['--no', 'holdfast', 'keys', 'get-current', '--json'], settings),
    ]);
    expect([byNpm.code, byNpx.code]).toEqual([0, 0]);
    expect(JSON.parse(byNpm.out)).toMatchObject({ marketplaceId: marketplace.id });
    expect(JSON.parse(byNpx.out)).toEqual(JSON.parse(byNpm.out));
  });

  it('triggers a released order with own users, then gets and lists it', async () => {
    const [buyer, seller] = [await aUser('cli-buyer'), await aUser('cli-seller')];
    const params = [`buyer=${buyer}`, `seller=${seller}`, 'amount=20.00'].flatMap((param) => ['--param', param]);
    const order = await json('trigger', 'order.released', ...params);
    expect(order).toMatchObject({ buyerId: buyer, sellerId: seller, amount: '20.00', status: 'CLOSED' });
    const [got, listed, balance, table] = await Promise.all([
      json('orders', 'get', order.id),
      json('orders', 'list', '--seller-id', seller),
      json('balances', 'get', seller),
      holdfast('orders', 'list', '--seller-id', seller),
    ]);
    expect([got, listed, balance]).toMatchObject([
      { id: order.id, status: 'CLOSED' },
      [{ id: order.id }],
      { available: '19.00' },
    ]);
    expect(table.out).toMatch(new RegExp(`^id .*\\n-+ .*\\n${order.id}  CLOSED  20\\.00`));
    const period = [seller, '--from', inHours(-1), '--to', inHours(1)];
    const [statement, file, page] = await Promise.all([
      json('statements', ...period),
      holdfast('statements', ...period, '--csv'),
      holdfast('statements', ...period),
    ]);
    expect(statement).toMatchObject({
      closing: { available: '19.00' },
      totals: { fees: '1.00' },
      lines: [{ orderId: order.id }],
    });
    expect(file.out).toMatch(
      new RegExp(`\\r\\n[^\\n]*,Payment for order ${order.id}\\r\\nclosing,,,19\\.00,0\\.00,,,,,,\\r\\n$`),
    );
    expect(page.out).toMatch(/closing +19\.00 USD available, 0\.00 reserved/);
  });

  it('triggers a refund, a split dispute, a top-up, a withdrawal and a deposit', async () => {
    const [refund, topup, dispute, withdrawal, deposit] = await Promise.all([
      json('trigger', 'order.refunded'),
      json('trigger', 'topup.succeeded'),
      json('trigger', 'dispute.resolved', '--param', 'decision=SPLIT', '--param', 'releaseAmount=60.00'),
      json('trigger', 'withdrawal.completed', '--param', 'amount=30.00'),
      json('trigger', 'deposit', '--param', 'amount=7'),
    ]);
    expect([refund, topup]).toMatchObject([{ status: 'CLOSED', closeReason: 'REFUNDED' }, { status: 'TOPUP_SUCCEEDED' }]);
    expect(dispute).toMatchObject({
      status: 'RESOLVED',
      resolutionDecision: 'SPLIT',
      releaseAmount: '60.00',
      refundAmount: '40.00',
    });
    expect(withdrawal).toMatchObject({ status: 'WITHDRAWAL_COMPLETED' });
    expect(deposit).toMatchObject({ currentBalance: { available: '7.00', currency: 'XLM' } });
  });

  it('confirms a top-up on the sandbox', async () => {
    const userId = await aUser('cli-payer');
    const { id } = await json('topups', 'create', '--user-id', userId, '--amount', '12.00');
    await json('sandbox', 'confirm', id);
    const topup = async () => (await marketplace.api.get(`/topups/${String(id)}`)).data;
    await eventually(async () => expect(await topup()).toMatchObject({ status: 'TOPUP_SUCCEEDED' }));
  });

  it('sends assets from the faucet of the sandbox', async () => {
    const userId = await aUser('cli-faucet');
    await json('sandbox', 'faucet', userId, '--amount', '3');
    await eventually(async () => {
      await marketplace.api.post(`/users/${userId}/balance/sync`);
      expect((await marketplace.api.get(`/users/${userId}/balance?currency=XLM`)).data).toMatchObject({ available: '3.00' });
    });
  });

  it('resends an event to the endpoint that got it', async () => {
    const received: string[] = [];
    const receiver = await startWebhookReceiver({ take: async (body) => void received.push(await Promise.resolve(body)) });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const endpoint = await json('webhooks', 'create', '--url', url, '--types', 'user.created');
    await aUser('cli-resent');
    await eventually(() => expect(received).toHaveLength(1));
    const { eventId } = JSON.parse(received[0] ?? '{}') as { readonly eventId: string };
    await eventually(() => json('events', 'resend', eventId));
    await eventually(() => expect(received).toHaveLength(2));
    expect(received[1]).toBe(received[0]);
    await json('webhooks', 'delete', endpoint.id);
    receiver.stop();
  });

  it('shows what operators look at', async () => {
    const [runs, parked, stop, ledger, audit, doctor] = await Promise.all([
      json('sagas', 'list'),
      json('parked'),
      json('emergency'),
      json('verify', 'ledger'),
      json('verify', 'audit'),
      holdfast('doctor', '--json'),
    ]);
    expect([Array.isArray(runs), Array.isArray(parked)]).toEqual([true, true]);
    expect([stop, ledger, audit]).toMatchObject([{ isStopped: false }, { isSound: true }, { isSound: true, firstBreak: null }]);
    expect(JSON.parse(doctor.out)).toEqual(
      expect.arrayContaining(
        ['api', 'version', 'clock', 'database', 'broker', 'key', 'disk', 'providers'].map((name) =>
          expect.objectContaining({ name, status: 'ok' }),
        ),
      ),
    );
  });
});

describe('holdfast listen', () => {
  it('forwards every event once, in order and signed, while the receiver and the listener are stopped and started again', async () => {
    const userId = await aUser('cli-listen');
    const credit = (): Promise<unknown> => marketplace.api.post(`/users/${userId}/balance/credit`, { amount: '1.00' });
    const secret = (await holdfast('listen', '--print-secret')).out.trim();
    const port = await freePort();
    const listen = (...args: readonly string[]) =>
      startProgram(
        'holdfast',
        settings,
        'listen',
        '--forward-to',
        `http://127.0.0.1:${port}/hooks`,
        '--types',
        'balance.credited',
        ...args,
      );

    await credit();
    const first = listen('--since', '1h');
    await first.prints(/ECONNREFUSED.*again in/);
    const received: HoldfastEvent[] = [];
    const receiver = await startWebhookReceiver({
      port,
      take: async (body, headers) => void received.push(await verify(body, headers, secret)),
    });
    const ofUser = () => received.filter((event) => JSON.stringify(event).includes(userId));
    await eventually(() => expect(ofUser()).toHaveLength(1));
    await first.prints(/balance\.credited .* → 204 in \d+ ms, attempt \d+, lag [\d.]+ s/);
    first.signal('SIGINT');
    expect(await first.ended).toBe(0);
    const before = received.length;

    await credit();
    await credit();
    const second = listen();
    await second.prints('going on after');
    await eventually(() => expect(ofUser()).toHaveLength(3));
    const resumed = received.slice(before);
    const moments = resumed.map(({ occurredAt }) => occurredAt);
    expect(moments).toEqual([...moments].sort());
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(received.length);
    second.signal('SIGINT');
    expect(await second.ended).toBe(0);
    receiver.stop();
  });
});

describe('bad input', () => {
  it('a wrong key, a revoked one and one without the scope end with 1 and change nothing', async () => {
    const asMaster = { ...settings, HOLDFAST_KEY: masterKey };
    const named = ['--name', 'cli-reader', '--scopes', 'read', '--marketplace', marketplace.id];
    const key = await jsonOf(asMaster, 'keys', 'create', ...named);
    const asReader = { ...settings, HOLDFAST_KEY: key.key };
    const refused = await runHoldfast(asReader, 'users', 'create', '--external-user-id', 'cli-refused');
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^INSUFFICIENT_SCOPE: [^]*holdfast keys create/)]);
    expect((await marketplace.api.get('/users?externalUserId=cli-refused')).data).toMatchObject({ data: [] });
    await jsonOf(asMaster, 'keys', 'revoke', key.id, '--marketplace', marketplace.id);
    for (const HOLDFAST_KEY of [key.key, 'hk_of_nobody_01234567890123456789']) {
      const { code, out, err } = await runHoldfast({ ...settings, HOLDFAST_KEY }, 'orders', 'list');
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^UNAUTHORIZED: [^]*npm run key/)]);
    }
  });

  it('a platform that is not there, another server, and one of another version are named', async () => {
    const elsewhere = (url: string) => runHoldfast(settings, 'orders', 'list', '--api', url);
    const down = await elsewhere(`http://127.0.0.1:${await freePort()}`);
    expect([down.code, down.err]).toEqual([1, expect.stringMatching(/CONNECTION_FAILED[^]*npm start/)]);
    const foreign = await aServer({ hello: 'world' });
    expect((await elsewhere(foreign.url)).err).toContain('is not Holdfast');
    foreign.server.close();
    const newer = await aServer({ data: { status: 'healthy', version: '99.0.0', timestamp: '2026-11-18T12:00:00Z' } });
    expect((await elsewhere(newer.url)).err).toContain('has version 99.0.0');
    newer.server.close();
  });

  it('a closed pipe ends it quietly', async () => {
    const piped = 'set -o pipefail; "$0" dist/holdfast.js users list --json | true';
    expect(await runFile('bash', ['-c', piped, process.execPath], settings)).toEqual({ code: 0, out: '', err: '' });
  });

  it('an event that went to no endpoint is not resent', async () => {
    const { code, err } = await holdfast('events', 'resend', 'evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y');
    expect([code, err]).toEqual([1, expect.stringContaining('was delivered to no endpoint')]);
  });
});

/** A server that gives every request the same response, with 404 where the API would list orders. */
async function aServer(body: object): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) =>
    response
      .writeHead(request.url?.includes('health') === true ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(body)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
