import { numberOfUnits } from '@holdfast/contracts/http';
import { feeOf, formatMoney, parseMoney, subtract, type Money } from '@holdfast/kernel/money';
import { z } from 'zod';
import { eventually } from '@holdfast/testing/eventually';
import { textOf, type Order } from './order-life.js';
import type { Platform } from './platform.js';

/** A person with an account. */
export type Person = { readonly id: string; readonly token: string };

/** A person's request to pay into the escrow of a project. */
export type Init = {
  readonly buyer: Person;
  readonly sellerId: string;
  readonly projectId: string;
  readonly amount: Money;
  /** Every message of the request names it. */
  readonly requestId: string;
  /** What the buyer had available before. */
  readonly available: string;
};

export type AccountResponse = { readonly status: number; readonly message: string; readonly data: unknown };

/** Where the two APIs are. */
type Apis = Pick<Platform, 'api' | 'accountUrl'>;
type ApisAndDatabase = Apis & Pick<Platform, 'database'>;

const timeoutMs = 90_000;
const envelope = z.object({ code: z.int(), message: z.string(), data: z.unknown() });
const amount = parseMoney('100.00', 'USD');
const feeBasisPoints = 500n;
const patience = { timeoutMs: 150_000 };

type Sent = { readonly by?: Person; readonly body?: object; readonly requestId?: string };

async function request({ accountUrl }: Apis, path: string, { by, body, requestId }: Sent): Promise<AccountResponse> {
  const response = await fetch(`${accountUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(by === undefined ? {} : { authorization: `Bearer ${by.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { message, data } = envelope.parse(await response.json());
  return { status: response.status, message, data };
}

async function succeed(platform: Apis, path: string, sent: Sent): Promise<unknown> {
  const { status, message, data } = await request(platform, path, sent);
  expect([path, status, message]).toEqual([path, 200, expect.any(String)]);
  return data;
}

export async function aPerson(platform: Apis): Promise<Person> {
  const body = { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery', name: 'Ada' };
  const data = await succeed(platform, '/auth/register', { body });
  return { id: textOf(data, 'id'), token: textOf(data, 'token') };
}

async function aProject(platform: Apis, by: Person): Promise<string> {
  return textOf(
    await succeed(platform, '/projects', { by, body: { title: 'A website', budget: numberOfUnits(amount.units) } }),
    'id',
  );
}

/** The buyer gets the amount first, unless it is to be too little. */
export async function anInit(platform: Apis, buyer: Person, { isCovered = true } = {}): Promise<Init> {
  const { api } = platform;
  const seller = await api.post('/users', { externalUserId: `seller-${crypto.randomUUID()}` });
  const projectId = await aProject(platform, buyer);
  const credit = { amount: formatMoney(amount) };
  if (isCovered) expect((await api.post(`/users/${buyer.id}/balance/credit`, credit)).status).toBe(200);
  const { available } = await balanceOf(platform, buyer.id);
  return { buyer, sellerId: textOf(seller.data, 'id'), projectId, amount, requestId: crypto.randomUUID(), available };
}

export function callInit(platform: Apis, { buyer, sellerId, projectId, ...init }: Init): Promise<AccountResponse> {
  const body = { project_id: projectId, seller_id: sellerId, amount: numberOfUnits(init.amount.units), currency: 'USD' };
  return request(platform, '/escrow/init', { by: buyer, body, requestId: init.requestId });
}

export async function balanceOf(
  { api }: Apis,
  userId: string,
): Promise<{ readonly available: string; readonly reserved: string }> {
  const { data } = await api.get(`/users/${userId}/balance`);
  return { available: textOf(data, 'available'), reserved: textOf(data, 'reserved') };
}

type OrderNow = Order & { readonly status: string; readonly closeReason: unknown };

/** Newest first. Each seller sells once. */
export async function ordersOf({ api }: Apis, { sellerId, buyer }: Init): Promise<readonly OrderNow[]> {
  const { data } = await api.get(`/orders?seller_id=${sellerId}`);
  const orders = Array.isArray(data['data']) ? (data['data'] as readonly Readonly<Record<string, unknown>>[]) : [];
  return orders.map((order) => ({
    id: textOf(order, 'id'),
    buyerId: buyer.id,
    sellerId,
    status: textOf(order, 'status'),
    closeReason: order['closeReason'],
  }));
}

export async function projectStatusOf(platform: Apis, { buyer, projectId }: Init): Promise<string> {
  const data = await succeed(platform, '/projects?limit=100', { by: buyer });
  const { projects } = z.object({ projects: z.array(z.object({ id: z.string(), status: z.string() })) }).parse(data);
  return projects.find(({ id }) => id === projectId)?.status ?? '';
}

/**
 * Once its run has ended, either the escrow is funded, or nothing is held and the money is available again. Then the same request
 * succeeds, the escrow is funded exactly once, and its release pays the seller once.
 */
export async function expectFundedOnce(platform: ApisAndDatabase, init: Init): Promise<readonly Order[]> {
  await expectAllOrNothing(platform, init);
  const escrowId = await eventually(async () => {
    const { status, message, data } = await callInit(platform, init);
    expect([status, message]).toEqual([200, 'Escrow funded']);
    return textOf(data, 'escrow_id');
  }, patience);
  expect(await expectAllOrNothing(platform, init)).toBe('in_progress');
  await expectReleasedOnce(platform, init, escrowId);
  return ordersOf(platform, init);
}

/** The status of the project. */
export async function expectAllOrNothing(platform: ApisAndDatabase, init: Init): Promise<string> {
  return eventually(async () => {
    expect(await openWorkOf(platform, init)).toEqual([]);
    const [newest, ...earlier] = await ordersOf(platform, init);
    for (const order of earlier) expect(order).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    const isFunded = newest?.status === 'IN_PROGRESS';
    if (newest !== undefined && !isFunded) expect(newest).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    const before = parseMoney(init.available, 'USD');
    const available = formatMoney(isFunded ? subtract(before, init.amount) : before);
    expect(await balanceOf(platform, init.buyer.id)).toEqual({ available, reserved: '0.00' });
    const status = await projectStatusOf(platform, init);
    expect(status).toBe(isFunded ? 'in_progress' : 'open');
    return status;
  }, patience);
}

/** The release may be interrupted as well: it is requested until the project is completed. */
export async function expectReleasedOnce(platform: Apis, init: Init, escrow_id: string): Promise<void> {
  await eventually(async () => {
    await request(platform, '/escrow/release', { by: init.buyer, body: { escrow_id } });
    expect(await projectStatusOf(platform, init)).toBe('completed');
  }, patience);
  const available = formatMoney(subtract(init.amount, feeOf(init.amount, feeBasisPoints)));
  expect(await balanceOf(platform, init.sellerId)).toEqual({ available, reserved: '0.00' });
}

const selectOpenWork = `
  select saga as name
  from orders.saga_runs
  where closed_at is null and aggregate_id = any($1)
  union all
  select kind
  from escrow_adapter.intents
  join escrow_adapter.contracts on contracts.escrow_id = intents.subject
  where closed_at is null and contracts.order_id = any($1)`;

/** The open runs and intents of its orders. */
async function openWorkOf(platform: ApisAndDatabase, init: Init): Promise<readonly unknown[]> {
  const ids = (await ordersOf(platform, init)).map(({ id }) => id);
  return platform.database.asAdmin(selectOpenWork, [ids]);
}
