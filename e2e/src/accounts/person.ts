import { request } from 'node:http';
import type { Environment } from '@holdfast/process/config';
import { eventually } from '@holdfast/testing/eventually';
import type { Reader } from '../events/reader.js';
import { textOf, type Order } from '../faults/order-life.js';
import type { SandboxControl } from '../faults/sandbox-control.js';
import type { Api } from '../testing/api.js';
import { accountClient, originOf, type AccountClient, type AccountResponse } from './client.js';

/** A running platform as the stories of people see it. */
export type AccountPlatform = {
  /** The base URL of the platform API. */
  readonly baseUrl: string;
  /** The marketplace that the people belong to. */
  readonly api: Api;
  readonly sandbox: SandboxControl;
  readonly reader: Reader;
  /** The settings that lead commands to the installation. */
  readonly settings: Environment;
};

/** A person who has registered and logged in. */
export type Person = { readonly id: string; readonly token: string; readonly client: AccountClient };

const password = 'correct horse battery';

export async function aPerson({ baseUrl }: Pick<AccountPlatform, 'baseUrl'>, name: string): Promise<Person> {
  const email = `${name}-${crypto.randomUUID()}@example.com`;
  const anybody = accountClient(baseUrl);
  const registered = await anybody.post('/auth/register', { email: email.toUpperCase(), password, name });
  expect(registered).toMatchObject({ status: 200, data: { email, name } });
  const loggedIn = await anybody.post('/auth/login', { email, password });
  const id = textOf(registered.data, 'id');
  expect(loggedIn).toMatchObject({ status: 200, data: { user: { id, email, name } } });
  const token = textOf(loggedIn.data, 'token');
  return { id, token, client: accountClient(baseUrl, token) };
}

/** The account API has no top-ups: the marketplace creates one, and the person pays at the provider's checkout. */
export async function topUp({ api }: AccountPlatform, { id: userId }: Person, amount: string): Promise<void> {
  await api.post(`/users/${userId}/payment-account/link`, { email: `${userId.toLowerCase()}@example.com` });
  const topup = await api.post('/topups', { userId, amount });
  expect([topup.status, topup.code]).toEqual([201, undefined]);
  const paid = await fetch(`${textOf(topup.data, 'confirmationUri')}/confirm`, { method: 'POST' });
  await paid.text();
  const path = `/topups/${textOf(topup.data, 'id')}`;
  await eventually(async () => {
    expect((await api.post(`${path}/refresh`)).data).toMatchObject({ status: 'TOPUP_SUCCEEDED' });
  });
}

/** A payment on the ledger network to the person's server-held wallet. */
export async function depositUsdc({ api, sandbox }: AccountPlatform, person: Person, amount: number): Promise<void> {
  const address = textOf((await api.get(`/users/${person.id}/wallet/deposit`)).data, 'address');
  await sandbox.give(address, 'USDC', amount.toString());
  await eventually(async () => {
    await api.post(`/users/${person.id}/balance/sync`);
    expect(await balanceOf(person, 'USDC')).toEqual({ currency: 'USDC', available: amount, held: 0 });
  });
}

export async function aProject({ client }: Person, title = 'A vase'): Promise<string> {
  const created = await client.post('/projects', { title, description: 'In blue', budget: 100, currency: 'USD' });
  expect(created).toMatchObject({ status: 200, data: { title, budget: 100, status: 'open' } });
  return textOf(created.data, 'id');
}

export type Payment = {
  readonly project_id: string;
  readonly seller_id: string;
  readonly amount: number;
  readonly currency: string;
};

export function pay({ client }: Person, payment: Payment): Promise<AccountResponse> {
  return client.post('/escrow/init', payment);
}

export function release({ client }: Person, { data }: AccountResponse): Promise<AccountResponse> {
  return client.post('/escrow/release', { escrow_id: textOf(data, 'escrow_id') });
}

/** Sends the request and destroys the connection as soon as its order exists, before there is a response. */
export async function payAndHangUp(platform: AccountPlatform, buyer: Person, payment: Payment): Promise<void> {
  const headers = { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json' };
  const sent = request(`${originOf(platform.baseUrl)}/escrow/init`, { method: 'POST', headers, agent: false });
  sent.on('error', () => undefined); // the connection that is destroyed below
  sent.end(JSON.stringify(payment));
  try {
    await eventually(async () => expect(await ordersOf(platform, buyer)).toHaveLength(1));
  } finally {
    sent.destroy();
  }
}

/** The person's orders on the platform API, newest first. */
export async function ordersOf({ api }: Pick<AccountPlatform, 'api'>, { id }: Person): Promise<readonly Order[]> {
  const { data } = (await api.get(`/orders?buyerId=${id}`)).data;
  return Array.isArray(data) ? (data as readonly Order[]) : [];
}

export async function newestOrderOf(platform: Pick<AccountPlatform, 'api'>, buyer: Person): Promise<Order> {
  const [newest] = await ordersOf(platform, buyer);
  if (newest === undefined) throw new Error('the buyer has no order');
  return newest;
}

export async function projectOf({ client }: Person, projectId: string): Promise<unknown> {
  const { projects } = (await client.get('/projects')).data;
  return Array.isArray(projects) ? projects.find((project: unknown) => textOf(project, 'id') === projectId) : undefined;
}

/** What the person has in a currency. */
export async function balanceOf({ client }: Person, currency = 'USD'): Promise<unknown> {
  const { balances } = (await client.get('/balances')).data;
  return Array.isArray(balances) ? balances.find((entry: unknown) => textOf(entry, 'currency') === currency) : undefined;
}

/** The person's transactions, oldest first. */
export async function transactionsOf({ client }: Person): Promise<readonly unknown[]> {
  const { transactions } = (await client.get('/balances/transactions')).data;
  return Array.isArray(transactions) ? (transactions as readonly unknown[]).toReversed() : [];
}
