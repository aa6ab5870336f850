import { identity } from '@holdfast/identity';
import { ledgerBalance } from '@holdfast/ledger-balance';
import { systemClock } from '@holdfast/kernel/context';
import {
  getUserVersionInAdapter,
  getUserVersionInOrders,
  getUserVersionInPayments,
  type UserView,
} from '@holdfast/contracts/http';
import { handle } from '@holdfast/http/server';
import { idFactory } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/service-host/lifecycle';
import { startService } from '@holdfast/service-host';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase } from '@holdfast/testing/postgres';
import { freePort } from '@holdfast/testing/servers';
import { serviceTestClient, openObservedBroker, startStubService, type ServiceTestClient } from '@holdfast/testing/services';

type Running = { readonly users: ServiceTestClient; readonly balances: ServiceTestClient; readonly stop: () => Promise<void> };

let running: Running;

beforeAll(async () => {
  running = await startBoth();
  // The first call compiles and connects; none of the parallel ones shall spend its time limit on that.
  await running.balances.get(`/users/${(await aUser()).id}/balance`);
});

afterAll(async () => {
  await running.stop();
});

let made = 0;

async function aUser(): Promise<UserView> {
  made += 1;
  return (await running.users.post('/users', { externalUserId: `customer-${made}` })).data as UserView;
}

describe('after a 201 for a new user', () => {
  it('can use it at once, however many are made', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { id } = await aUser();
        return (await running.balances.post(`/users/${id}/balance/credit`, { amount: '1.00' })).status;
      }),
    );
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  it('sees its balance in the user, alone and in a list', async () => {
    const { id } = await aUser();
    await running.balances.post(`/users/${id}/balance/credit`, { amount: '12.50' });
    await running.balances.post(`/users/${id}/balance/reserve`, { amount: '2.50' });
    const balance = { available: '10.00', reserved: '2.50', total: '12.50', currency: 'USD' };
    expect((await running.users.get(`/users/${id}`)).data).toMatchObject({ balance });
    expect((await running.users.get('/users?limit=1')).data.data).toMatchObject([{ id, balance }]);
  });
});

describe('after a user was suspended', () => {
  it('can rely on it at once, and on the reinstatement too', async () => {
    const { id } = await aUser();
    await running.balances.post(`/users/${id}/balance/credit`, { amount: '100.00' });
    for (let round = 0; round < 10; round += 1) {
      await running.users.patch(`/users/${id}`, { status: 'SUSPENDED' });
      const refused = await running.balances.post(`/users/${id}/balance/reserve`, { amount: '1.00' });
      await running.users.patch(`/users/${id}`, { status: 'ACTIVE' });
      const reserved = await running.balances.post(`/users/${id}/balance/reserve`, { amount: '1.00' });
      expect([refused.code, reserved.status]).toEqual(['USER_NOT_ACTIVE', 200]);
    }
  });
});

async function startBoth(): Promise<Running> {
  const clock = systemClock();
  const lifecycle = createLifecycle({ log: silentLog });
  const database = await testDatabase();
  const { adminUrl, internalSecret: secret } = database;
  const { broker } = await openObservedBroker(database, [identity.name, ledgerBalance.name]);
  lifecycle.onStop('broker', broker.close);
  // Both addresses are chosen before either service starts, because each needs the other's.
  const [identityPort, ledgerPort] = [await freePort(), await freePort()];
  // Identity also calls orders, escrow-adapter and payments for their known version of the user; the stubs always have it.
  const latestVersion = () => Promise.resolve({ version: Number.MAX_SAFE_INTEGER });
  const orders = await startStubService({
    service: 'orders',
    secret,
    clock,
    routes: [handle(getUserVersionInOrders, latestVersion)],
  });
  lifecycle.onStop('orders', orders.stop);
  const adapter = await startStubService({
    service: 'escrow-adapter',
    secret,
    clock,
    routes: [handle(getUserVersionInAdapter, latestVersion)],
  });
  lifecycle.onStop('escrow-adapter', adapter.stop);
  const payments = await startStubService({
    service: 'payments',
    secret,
    clock,
    routes: [handle(getUserVersionInPayments, latestVersion)],
  });
  lifecycle.onStop('payments', payments.stop);
  const env = {
    IDENTITY_URL: urlOf(identityPort),
    LEDGER_BALANCE_URL: urlOf(ledgerPort),
    ORDERS_URL: orders.url,
    ESCROW_ADAPTER_URL: adapter.url,
    PAYMENTS_URL: payments.url,
  };
  const newId = idFactory(clock.epochMs);
  const platform = { adminUrl, internalSecret: secret, broker, clock, newId, lifecycle, log: silentLog, env, host: '127.0.0.1' };
  await startService(identity, { ...platform, port: identityPort });
  await startService(ledgerBalance, { ...platform, port: ledgerPort });
  return {
    users: serviceTestClient({ service: identity.name, url: urlOf(identityPort), secret, clock }),
    balances: serviceTestClient({ service: ledgerBalance.name, url: urlOf(ledgerPort), secret, clock }),
    stop: async () => {
      await lifecycle.stop('the test is over');
      await database.drop();
    },
  };
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
