import { emergencyStopChanged, emergencyStopId, escrowDeployRequested } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { initEscrow, newBuyer, ordersOfBuyer } from '../testing/buyers.js';
import { startOrders, stepsUntil, type RunningOrders, type Step } from '../testing/running-orders.js';

let orders: RunningOrders;
let version = 0;

beforeAll(async () => {
  orders = await startOrders({}, { replicaEnv: { EMERGENCY_STOP: 'true' } });
});
afterAll(() => orders.stop());

/** Publishes the change as identity does, and waits until the service has stored it. */
async function changeStop(isStopped: boolean): Promise<void> {
  version += 1;
  const about = { aggregateId: emergencyStopId, aggregateVersion: version };
  await orders.simulated.publish(emergencyStopChanged, { isStopped }, about);
  await eventually(async () =>
    expect(await orders.database.asAdmin('select is_stopped from orders.emergency_stop')).toEqual([{ is_stopped: isStopped }]),
  );
}

const refusal = { status: 503, code: 'PLATFORM_STOPPED', headers: { 'retry-after': '60' } };
const accountRefusal = { status: 503, body: { code: 503, ok: false, message: expect.stringContaining('is stopped') } };

/** Each step that signs, and those before it. */
const signing: readonly (readonly [Step, readonly Step[]])[] = [
  ['escrow', stepsUntil.reserved],
  ['fund', stepsUntil.escrowed],
  ['release', stepsUntil.inProgress],
  ['refund', stepsUntil.inProgress],
];

async function aReviewedDispute() {
  const { id: orderId } = await orders.anOrderAfter(stepsUntil.disputed);
  const disputeId = (await orders.orderNow(orderId)).dispute?.id ?? '';
  await orders.post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-3' });
  return { orderId, resolve: () => orders.post(`/disputes/${disputeId}/resolve`, { decision: 'FULL_REFUND' }) };
}

describe('while the platform is stopped', () => {
  it('503 PLATFORM_STOPPED for every step that signs, which changes nothing and succeeds afterwards', async () => {
    const steps = await Promise.all(
      signing.map(async ([step, before]) => ({ step, orderId: (await orders.anOrderAfter(before)).id })),
    );
    const { orderId, resolve } = await aReviewedDispute();
    const requests = [
      ...steps.map(
        ({ step, orderId: id }) =>
          () =>
            orders.do(id, step),
      ),
      resolve,
    ];
    const ids = [...steps.map((each) => each.orderId), orderId];
    const before = await Promise.all(ids.map(orders.orderNow));
    await changeStop(true);
    for (const request of requests) expect(await request()).toMatchObject(refusal);
    expect(await Promise.all(ids.map(orders.orderNow))).toEqual(before);
    await changeStop(false);
    expect((await Promise.all(requests.map((request) => request()))).map(({ code }) => code)).toEqual(Array(5).fill(undefined));
  });

  it('503 for POST /escrow/init, which leaves no order, and for POST /escrow/release', async () => {
    const [payer, buyer] = [await newBuyer(orders), await newBuyer(orders)];
    const { data } = await initEscrow(orders, payer, { seller_id: orders.aUser() });
    const release = () => orders.post('/escrow/release', { escrow_id: data.escrow_id as string }, payer.by);
    const init = () => initEscrow(orders, buyer, { seller_id: orders.aUser() });
    await changeStop(true);
    expect([await init(), await release()]).toMatchObject([accountRefusal, accountRefusal]);
    expect(await ordersOfBuyer(orders, buyer)).toEqual([]);
    await changeStop(false);
    expect([await init(), await release()]).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  it('a request that is refused anyway says why, and steps that sign nothing succeed', async () => {
    await changeStop(true);
    const { id } = await orders.anOrder();
    expect(await orders.do(id, 'escrow')).toMatchObject({ status: 400, code: 'INVALID_STATE' });
    expect(await orders.do('ord_unknown', 'release')).toMatchObject({ status: 404 });
    expect(await orders.do(id, 'reserve')).toMatchObject({ status: 201 });
    expect(await orders.do(id, 'cancel')).toMatchObject({ status: 201 });
    await changeStop(false);
  });

  it('earlier work continues: a payment into escrow deploys and funds', async () => {
    const buyer = await newBuyer(orders);
    orders.simulated.replyNextWith(buyer.id, escrowDeployRequested, () => []);
    const response = initEscrow(orders, buyer, { seller_id: orders.aUser() });
    const command = await eventually(() => {
      const found = orders.published.find(
        ({ type, payload }) => type === escrowDeployRequested.type && (payload as { buyerId?: string }).buyerId === buyer.id,
      );
      if (found === undefined) throw new Error('The command is not published yet.');
      return found;
    });
    await changeStop(true);
    orders.simulated.onPublished(command);
    expect(await response).toMatchObject({ status: 200, data: { status: 'funded' } });
    await changeStop(false);
  });

  it('503 PLATFORM_STOPPED from a process with EMERGENCY_STOP, whatever is stored', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    expect(await orders.replica.do(id, 'escrow')).toMatchObject(refusal);
    expect(await orders.do(id, 'escrow')).toMatchObject({ status: 201 });
  });
});
