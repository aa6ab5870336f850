import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { expectPaidOnce } from './faults/agreement.js';
import { anOrder, bringTo, call, type Order } from './faults/order-life.js';
import { sandboxControl, type SandboxControl } from './faults/sandbox-control.js';
import { apiOf, type Api } from './testing/api.js';
import { newDataDir, startAllInOne, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms } from './testing/program.js';

jest.setTimeout(180_000);

let database: TestDatabase;
let installation: RunningInstallation;
let api: Api;
let sandbox: SandboxControl;

beforeAll(async () => {
  database = await testDatabase();
  const { adminUrl: DATABASE_URL, internalSecret: INTERNAL_SECRET } = database;
  // Every request waits for the end of its saga, however slow the machine is.
  const settings = { DATABASE_URL, INTERNAL_SECRET, SETTLEMENT_TIMEOUT_MS: '60000', LOG_LEVEL: 'warn' };
  installation = await startAllInOne(newDataDir(), settings);
  api = apiOf(installation.baseUrl, installation.masterKey);
  sandbox = sandboxControl(installation.sandboxUrl);
}, serverStartTimeoutMs);

afterAll(async () => {
  try {
    installation.signal('SIGTERM');
    await installation.ended;
    await database.drop();
  } finally {
    await killLeftPrograms(); // also of an installation that never became ready
  }
});

const orderNow = async ({ id }: Order) => (await api.get(`/orders/${id}`)).data;

describe('an order whose hold was deducted in part', () => {
  async function anUnderfundedOrder(): Promise<Order> {
    const order = await anOrder(api);
    await bringTo(api, order, 'fund');
    const deduction = { amount: '30.00', orderId: order.id };
    expect((await api.post(`/users/${order.buyerId}/balance/deduct-reserved`, deduction)).status).toBe(200);
    const refused = await call(api, order, 'fund');
    expect([refused.status, refused.code]).toEqual([422, 'RESERVE_NOT_FOUND']);
    expect(refused.details).toMatchObject({ requested: '100.00', reserved: '70.00', currency: 'USD' });
    expect(await orderNow(order)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: { status: 'CREATED' } });
    expect(await call(api, order, 'reserve')).toMatchObject({ status: 400, code: 'INVALID_STATE' });
    return order;
  }

  it('can be topped up over the balance routes, funded and released', async () => {
    const order = await anUnderfundedOrder();
    await api.post(`/users/${order.buyerId}/balance/credit`, { amount: '30.00' });
    const rest = { amount: '30.00', orderId: order.id };
    expect((await api.post(`/users/${order.buyerId}/balance/reserve`, rest)).status).toBe(200);
    expect(await call(api, order, 'fund')).toMatchObject({ status: 201, data: { status: 'IN_PROGRESS' } });
    expect(await call(api, order, 'release')).toMatchObject({ status: 200, data: { status: 'CLOSED' } });
    await expectPaidOnce(api, order, 'release');
  });

  it('can be canceled, and what is left of the hold is available again', async () => {
    const order = await anUnderfundedOrder();
    expect(await call(api, order, 'cancel')).toMatchObject({
      status: 201,
      data: { status: 'CLOSED', closeReason: 'CANCELED', escrow: { status: 'CREATED' } },
    });
    expect((await api.get(`/users/${order.buyerId}/balance`)).data).toMatchObject({ available: '70.00', reserved: '0.00' });
  });
});

describe('a refund that fails after its dispute transaction has landed', () => {
  afterEach(() => sandbox.clear());

  it.each(['release', 'refund'] as const)('shows the escrow as DISPUTED, and a %s pays once', async (ending) => {
    const order = await anOrder(api);
    await bringTo(api, order, 'refund');
    await sandbox.arm({ target: 'escrow-provider', operation: 'resolve', kind: 'wrong-function' });
    expect(await call(api, order, 'refund')).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
    expect(await orderNow(order)).toMatchObject({ status: 'IN_PROGRESS', dispute: null, escrow: { status: 'DISPUTED' } });
    await sandbox.clear();
    const ends = { release: 'RELEASED', refund: 'REFUNDED' }[ending];
    expect(await call(api, order, ending)).toMatchObject({
      status: 200,
      data: { status: 'CLOSED', closeReason: ends, escrow: { status: ends } },
    });
    await expectPaidOnce(api, order, ending);
  });
});
