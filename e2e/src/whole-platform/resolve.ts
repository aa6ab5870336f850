import { randomUUID } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { anInit, aPerson, balanceOf, callInit, ordersOf, type Init } from '../faults/account-life.js';
import { anOrder, bringTo, call, statusOf, type Order } from '../faults/order-life.js';
import { aPayment } from '../faults/payment-life.js';
import { sandboxControl } from '../faults/sandbox-control.js';
import type { Api, ApiResponse } from '../testing/api.js';
import { runProgram } from '../testing/program.js';
import type { WholePlatform } from './platform.js';

const newId = idFactory(systemClock().epochMs);
const decided = (outcome: string, by: string): readonly string[] => ['--as', outcome, '--by', by, '--evidence', 'ticket 7'];
const asFailed = (by: string): readonly string[] => decided('failed', by);

/** The emergency stop, which holds every run of the platform, and how a person ends runs that cannot end by themselves. */
export function describeResolve(platform: () => WholePlatform): void {
  describe('npm run emergency', () => {
    let retried: Retried;
    let canceled: Order;
    let init: Init;

    beforeAll(() => stopSigning(platform()));

    it('explains itself when it is not understood', async () => {
      const { code, output } = await runProgram('emergency', platform().settings, 'stop');
      expect([code, output]).toEqual([2, expect.stringMatching(/--by is missing[^]*npm run emergency/)]);
    });

    it('stops, which /health/detailed and the status show', async () => {
      await expectStopShown(platform());
    });

    it('refuses what would sign or pay out with 503 PLATFORM_STOPPED, and changes nothing', async () => {
      retried = await expectRefused(platform());
    });

    it('holds a run, which npm run sagas -- resolve ends as two persons have decided, with sound books only', async () => {
      await letRequestsBegin(platform());
      canceled = await resolveByTwoPersons(platform());
    });

    it('holds a sequence, which ends as a whole when the run of its current saga is resolved', async () => {
      init = await resolveSequence(platform());
    });

    it('resumes, and what was resolved as failed can be canceled or tried again', async () => {
      const resumed = await emergency(platform(), 'resume');
      expect(resumed).toMatchObject({ code: 0, output: expect.stringContaining('RUNNING') });
      expect(await call(platform().api, canceled, 'cancel')).toMatchObject({ status: 201, data: { status: 'CLOSED' } });
      await eventually(async () =>
        expect(await retried()).toMatchObject({ status: 201, data: { status: 'WITHDRAWAL_PENDING' } }),
      );
      await eventually(async () => expect((await callInit(apisOf(platform()), init)).status).toBe(200));
    });
  });

  describe('npm run sagas', () => {
    it('resolve lets the books follow the contract when its payout could not be recorded', async () => {
      await resolveUnrecordedPayout(platform());
    });

    it('redrive names a run that is not open', async () => {
      const refused = { code: 1, output: 'run_nobody is not an open saga run.\n' };
      expect(await runSagas(platform(), 'redrive', 'run_nobody')).toEqual(refused);
    });
  });
}

function runSagas({ settings }: WholePlatform, ...args: readonly string[]) {
  return runProgram('sagas', settings, ...args);
}

function emergency({ settings }: WholePlatform, command: 'stop' | 'resume') {
  return runProgram('emergency', settings, command, '--by', 'Ada', '--reason', 'a drill');
}

function apisOf({ api, baseUrl }: WholePlatform) {
  return { api, accountUrl: new URL(baseUrl).origin };
}

/** Resolves once every service knows of it. */
async function stopSigning(platform: WholePlatform): Promise<void> {
  const stopped = await emergency(platform, 'stop');
  expect(stopped).toMatchObject({ code: 0, output: expect.stringMatching(/STOPPED[^]*by Ada[^]*a drill/) });
  for (const service of ['escrow-adapter', 'orders', 'payments']) {
    const { pool } = await platform.logIn(service);
    await eventually(async () => {
      const { rows } = await pool.query('select is_stopped from emergency_stop');
      expect(rows).toEqual([{ is_stopped: true }]);
    });
  }
}

/** Requests that reach orders now are like those that were begun before the stop: only the adapter knows of it. */
async function letRequestsBegin({ logIn }: WholePlatform): Promise<void> {
  const { pool } = await logIn('orders');
  await pool.query('update emergency_stop set is_stopped = false');
}

/** A request that was refused, with the same Idempotency-Key. */
type Retried = () => Promise<ApiResponse>;

async function expectRefused(platform: WholePlatform): Promise<Retried> {
  const { api } = platform;
  const apis = apisOf(platform);
  const order = await anOrder(api);
  await bringTo(api, order, 'escrow');
  const refusal = { status: 503, code: 'PLATFORM_STOPPED' };
  expect(await call(api, order, 'escrow')).toMatchObject(refusal);
  expect(await statusOf(api, order)).toBe('FUNDS_RESERVED');

  const init = await anInit(apis, await aPerson(apis));
  expect(await callInit(apis, init)).toMatchObject({ status: 503 });
  expect(await ordersOf(apis, init)).toEqual([]);

  const { userId } = await aPayment({ api, sandbox: sandboxControl(platform.sandboxUrl) }, 'bank');
  const body = { userId, amount: '40.00', currency: 'USD', destination: { type: 'payment_account' }, commit: true };
  const key = randomUUID();
  const withdraw = (): Promise<ApiResponse> => api.post('/withdrawals', body, key);
  await eventually(async () => expect(await withdraw()).toMatchObject(refusal)); // payments reads the stop at intervals
  expect((await api.get(`/withdrawals?userId=${userId}`)).data['data']).toEqual([]);
  return withdraw;
}

async function expectStopShown({ baseUrl, settings }: WholePlatform): Promise<void> {
  const status = await runProgram('emergency', settings, 'status');
  expect(status).toMatchObject({ code: 0, output: expect.stringContaining('STOPPED') });
  await eventually(async () => {
    const response = await fetch(`${baseUrl}/health/detailed`);
    const { data } = (await response.json()) as { readonly data: { readonly warnings: unknown } };
    expect(data.warnings).toEqual([expect.stringContaining('the emergency stop is on')]);
  });
}

/** The run of a deployment is past its point of no return by now, if it was not aborted. */
async function makeOld({ logIn }: WholePlatform, runId: string): Promise<void> {
  const [orders, adapter] = [await logIn('orders'), await logIn('escrow-adapter')];
  await orders.pool.query(`update saga_runs set begun_at = begun_at - interval '1 hour' where id = $1`, [runId]);
  await adapter.pool.query(`update intents set created_at = created_at - interval '1 hour' where saga_run_id = $1`, [runId]);
}

/** The books are wrong while `work` runs. */
async function withUnsoundBooks<T>({ logIn }: WholePlatform, { buyerId }: Order, work: () => Promise<T>): Promise<T> {
  const { pool } = await logIn('ledger-balance');
  const shift = (units: number): Promise<unknown> =>
    pool.query(`update accounts set available_units = available_units + $1 where owner = $2`, [units, buyerId]);
  await shift(1);
  const result = await work();
  await shift(-1);
  return result;
}

/** A deployment waits for the end of the emergency stop, and is resolved as failed. Resolves to its order. */
async function resolveByTwoPersons(platform: WholePlatform): Promise<Order> {
  const { api, logIn } = platform;
  const order = await anOrder(api);
  await bringTo(api, order, 'escrow');
  const response = call(api, order, 'escrow');
  const runId = await openDeployment(await logIn('orders'));
  await eventually(async () => expect(await statusOf(api, order)).toBe('ESCROW_CREATING'));
  await intentOf(await logIn('escrow-adapter'), runId);
  await makeOld(platform, runId);
  const resolveBy = (person: string) => runSagas(platform, 'resolve', runId, ...asFailed(person));

  const unsound = await withUnsoundBooks(platform, order, () => resolveBy('Ada'));
  expect(unsound).toMatchObject({ code: 1, output: expect.stringMatching(/NOT SOUND[^]*Nothing was resolved/) });
  expect(await resolveBy('Ada')).toMatchObject({ code: 0, output: expect.stringContaining('PENDING_APPROVAL') });
  const resolved = expect.stringMatching(/Sound[^]*create-escrow of ord_\w+ is resolved as failed\.[^]*Sound/);
  expect(await resolveBy('Grace')).toMatchObject({ code: 0, output: resolved });

  expect((await response).status).toBeGreaterThanOrEqual(500);
  expect(await statusOf(api, order)).toBe('FUNDS_RESERVED');
  expect((await api.get(`/users/${order.buyerId}/balance`)).data).toMatchObject({ available: '0.00', reserved: '100.00' });
  const after = { requestedBy: 'Ada', approvedBy: 'Grace', contractStatus: 'FAILED' };
  const entry = { actorType: 'operator', actorId: 'Grace', reason: 'ticket 7', after };
  await eventually(async () => expect(await resolvedEntry(api, order)).toMatchObject([entry]));
  const repeated = expect.stringMatching(/has ended: Ada and Grace resolved it as failed\.[^]*Sound/);
  expect(await resolveBy('Grace')).toMatchObject({ code: 0, output: repeated });
  return order;
}

/** A person's payment into escrow waits for the end of the emergency stop, and is resolved as failed. */
async function resolveSequence(platform: WholePlatform): Promise<Init> {
  const apis = apisOf(platform);
  const init = { ...(await anInit(apis, await aPerson(apis))), amount: parseMoney('20.00', 'USD') };
  const response = callInit(apis, init);
  const orders = await platform.logIn('orders');
  const current = await openDeployment(orders);
  await intentOf(await platform.logIn('escrow-adapter'), current);
  expect((await runSagas(platform, 'list')).output).toMatch(new RegExp(`run_\\w+ +init-escrow .* waits for ${current}`));
  await makeOld(platform, current);

  const resolved = await runSagas(platform, 'resolve', current, ...asFailed('Ada'));
  expect(resolved.output).toMatch(/create-escrow of ord_\w+ is resolved as failed\.[^]*Sound/);

  expect([503, 504]).toContain((await response).status); // on a slow machine the request has given up
  await eventually(async () => expect((await orders.pool.query(openRuns)).rows).toEqual([]));
  expect(await ordersOf(apis, init)).toMatchObject([{ status: 'CLOSED', closeReason: 'CANCELED' }]);
  expect(await balanceOf(apis, init.buyer.id)).toEqual({ available: '100.00', reserved: '0.00' });
  return init;
}

/** The contract has paid, and the escrow account holds too little to record it. */
async function resolveUnrecordedPayout(platform: WholePlatform): Promise<void> {
  const { api, logIn } = platform;
  const order = await anOrder(api);
  await bringTo(api, order, 'release');
  const [orders, ledger, adapter] = [await logIn('orders'), await logIn('ledger-balance'), await logIn('escrow-adapter')];
  await ledger.pool.query(takeFromEscrow, [newId('tr'), order.id, 10_000_000]);
  const response = call(api, order, 'release');
  const runId = await onlyId(orders, `${openRuns} and aggregate_id = $1 and retry_stopped_reason is not null`, [order.id]);
  const reason = 'needs a person: the escrow account holds 99.00 and has to pay 100.00';
  expect((await runSagas(platform, 'list')).output).toContain(reason);
  await makeOld(platform, runId);

  const { rows } = await adapter.pool.query<{ readonly hash: string }>(releaseOf, [runId]);
  const proof = ['--transaction', rows[0]?.hash ?? ''];
  await runSagas(platform, 'resolve', runId, ...decided('succeeded', 'Ada'), ...proof);
  const resolved = await runSagas(platform, 'resolve', runId, ...decided('succeeded', 'Grace'), ...proof);
  expect(resolved.output).toMatch(/release of ord_\w+ is resolved as succeeded\.[^]*Sound/);

  expect([200, 504]).toContain((await response).status); // on a slow machine the request has given up
  expect((await api.get(`/orders/${order.id}`)).data).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  expect((await api.get(`/users/${order.sellerId}/balance`)).data).toMatchObject({ available: '95.00' });
  expect((await ledger.pool.query(adjustmentsOf, [order.id])).rows).toEqual([{ units: '-10000000' }]);
  await eventually(async () =>
    expect(await resolvedEntry(api, order)).toMatchObject([{ after: { reply: 'escrow.payout_correction_requested' } }]),
  );
}

async function resolvedEntry(api: Api, order: Order): Promise<unknown> {
  const { data } = await api.get(`/audit/logs?resourceId=${order.id}&action=SAGA_RESOLVED`);
  return data['data'];
}

/** The only run that deploys. */
function openDeployment(orders: Database): Promise<string> {
  return onlyId(orders, openDeployments, []);
}

/** Resolves once the adapter has the command of the run. */
function intentOf(adapter: Database, runId: string): Promise<string> {
  return onlyId(adapter, 'select id from intents where saga_run_id = $1', [runId]);
}

function onlyId({ pool }: Database, sql: string, parameters: readonly string[]): Promise<string> {
  return eventually(async () => {
    const { rows } = await pool.query<{ readonly id: string }>(sql, [...parameters]);
    expect(rows).toHaveLength(1);
    return rows[0]?.id ?? '';
  });
}

const openRuns = 'select id from saga_runs where closed_at is null';
const openDeployments = `${openRuns} and saga = 'create-escrow'`;

/** A transfer out of the escrow account of an order, which no request can make. The books stay sound. */
const takeFromEscrow = `
  with transfer as (
    insert into transfers (id, cause, type, marketplace_id, order_id, created_at)
    values ($1, $1, 'DEBIT', 'mkt_default', $2, now())
  ),
  escrow as (
    update accounts
    set available_units = available_units - $3
    where kind = 'escrow' and owner = $2
    returning id, available_units
  )
  insert into legs (transfer_id, account_id, part, units, balance_units)
  select $1, id, 'available', -$3::bigint, available_units
  from escrow
  union all
  select $1, id, 'available', $3, null
  from accounts
  where kind = 'external' and owner = 'manual' and currency = 'USD'`;

const releaseOf = `
  select hash
  from ledger_transactions
  join intents on intents.id = intent_id
  where saga_run_id = $1 and step = 'release' and state = 'LANDED'`;

const adjustmentsOf = `
  select sum(legs.units)::text as units
  from legs
  join accounts on accounts.id = legs.account_id
  join transfers on transfers.id = legs.transfer_id
  where accounts.owner = 'adjustments' and transfers.order_id = $1`;
