import * as message from '@holdfast/contracts/messages';
import type { OrderRecord, SagaRunView } from '@holdfast/contracts/http';
import type { MessageId, UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import type { TestCaller, TestResponse } from '@holdfast/testing/services';
import { escrowIdOf, reply, type Responder } from '../testing/simulated-services.js';
import { startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  // Requests to the second replica get their 504 at once.
  orders = await startOrders({}, { replicaEnv: { SETTLEMENT_TIMEOUT_MS: '50' } });
});

afterAll(async () => {
  await orders.stop();
});

const system = { type: 'system', id: 'tools', scopes: [] } as const;
const nobodyReplies: Responder = () => [];

type Stalled = {
  readonly buyerId: UserId;
  readonly response: Promise<TestResponse>;
  readonly sequence: SagaRunView | undefined;
  readonly current: SagaRunView | undefined;
};

/** The request of a new buyer for a new project. The first command of this type gets no reply. */
async function anInit(command: message.MessageDeclaration) {
  const buyerId = orders.aUser();
  const by: TestCaller = { type: 'account', id: buyerId, scopes: [] };
  const project_id = (await orders.post('/projects', { title: 'A website', budget: 100 }, by)).data.id as string;
  orders.simulated.replyNextWith(buyerId, command, nobodyReplies);
  return { buyerId, by, body: { project_id, seller_id: orders.aUser(), amount: 100, currency: 'USDC' } };
}

/** An init whose command of this type gets no reply. */
async function aStalledInit(command: message.MessageDeclaration): Promise<Stalled> {
  const { buyerId, by, body } = await anInit(command);
  const response = orders.post('/escrow/init', body, by);
  const [sequence, current] = await eventually(async () => {
    const open = await openRunsOf(buyerId);
    expect(open).toHaveLength(2);
    expect(orders.published.map(({ type, sagaRunId }) => [type, sagaRunId])).toContainEqual([command.type, open[1]?.id]);
    return open;
  });
  await orders.idle(); // the broker drops a copy of a command that is still in its queue
  return { buyerId, response, sequence, current };
}

/** The run of the sequence first. */
async function openRunsOf(buyerId: UserId): Promise<readonly SagaRunView[]> {
  const ids = (await ordersOf(buyerId)).map(({ id }) => id);
  const { runs } = (await orders.get('/internal/saga-runs', system)).data as { readonly runs: readonly SagaRunView[] };
  return runs.filter(({ orderId }) => ids.some((id) => id === orderId)).toSorted((one) => (one.saga === 'init-escrow' ? -1 : 1));
}

async function ordersOf(buyerId: UserId): Promise<readonly OrderRecord[]> {
  return (await orders.get(`/orders?buyerId=${buyerId}`)).data.data as readonly OrderRecord[];
}

const redrive = (run: SagaRunView | undefined) => orders.post(`/internal/saga-runs/${run?.id ?? ''}/redrive`, {}, system);

const funds = { amount: '100.00', currency: 'USDC' } as const;
const balances = { availableBalance: '0.00', reservedBalance: '100.00' };

const creationAborted: Responder = ({ escrowId, orderId }) => [
  reply(message.escrowCreationFailed, { escrowId, orderId, reason: 'aborted' }),
];

describe('an init that is stalled', () => {
  it.each(['sequence', 'current'] as const)('is listed with its current saga; redriving the %s run ends it', async (which) => {
    const stalled = await aStalledInit(message.escrowDeployRequested);
    const { buyerId, response, sequence, current } = stalled;
    expect(sequence).toMatchObject({ saga: 'init-escrow', currentRunId: current?.id, isPastPointOfNoReturn: false });
    expect(current).toMatchObject({ saga: 'create-escrow', currentRunId: null, orderId: sequence?.orderId });
    expect((await redrive(stalled[which])).status).toBe(200);
    expect((await response).status).toBe(200);
    expect(await openRunsOf(buyerId)).toEqual([]);
    const sent = orders.published.filter(
      ({ sagaRunId, type }) => sagaRunId === current?.id && type === 'escrow.deploy_requested',
    );
    expect([sent.length, new Set(sent.map(({ id }) => id)).size]).toEqual([2, 1]);
  });

  it('is only past its point of no return if its current saga is', async () => {
    const { buyerId, response, sequence, current } = await aStalledInit(message.orderFundRequested);
    await orders.database.asAdmin(`update orders.saga_runs set begun_at = now() - interval '2 days' where id = any($1)`, [
      [sequence?.id, current?.id],
    ]);
    expect(await openRunsOf(buyerId)).toMatchObject([{ isPastPointOfNoReturn: false }, { isPastPointOfNoReturn: true }]);
    await redrive(current);
    expect((await response).status).toBe(200);
  });

  it.each([
    [
      'reserve',
      message.orderReserveRequested,
      message.orderAbortRequested,
      (({ commandId: _, ...hold }) => [
        reply(message.balanceReservationRefused, { ...hold, code: 'PROVIDER_TIMEOUT', details: { isAborted: true } }),
      ]) as Responder,
    ],
    ['create-escrow', message.escrowDeployRequested, message.escrowAbortRequested, creationAborted],
    [
      'fund',
      message.orderFundRequested,
      message.escrowAbortRequested,
      (({ orderId, buyerId: userId }) => [
        reply(message.balanceDeductionRestored, { orderId, userId, ...funds, ...balances }),
      ]) as Responder,
    ],
  ])('503 once %s is aborted at its deadline: the order is canceled', async (_, command, abort, aborted) => {
    const { buyerId, response, current } = await aStalledInit(command);
    orders.simulated.replyNextWith(buyerId, abort, aborted);
    await orders.database.asAdmin('update orders.saga_runs set deadline_at = now() where id = $1', [current?.id]);
    const { status, body } = await response;
    expect([status, body.message]).toEqual([503, expect.stringContaining('available again')]);
    expect(await ordersOf(buyerId)).toMatchObject([{ status: 'CLOSED', closeReason: 'CANCELED' }]);
    expect(await openRunsOf(buyerId)).toEqual([]);
  });

  it('is not answered early while its deployment is unconfirmed', async () => {
    const { buyerId, response, current } = await aStalledInit(message.escrowDeployRequested);
    const orderId = current?.orderId ?? 'ord_none';
    const of = { orderId, escrowId: escrowIdOf(orderId) };
    const run = { saga: 'create-escrow', sagaRunId: current?.id };
    await orders.simulated.publish(message.escrowCreationUnconfirmed, of, run);
    await orders.idle();
    expect((await openRunsOf(buyerId)).map(({ saga }) => saga)).toEqual(['init-escrow', 'create-escrow']);
    await orders.simulated.publish(message.escrowCreated, { ...of, ...funds, providerContractId: 'C1' }, run);
    expect((await response).body).toMatchObject({ code: 200, data: { status: 'funded', escrow_id: of.escrowId } });
  });

  it('ignores the replies of its earlier sagas that arrive again, as the same message and as another one', async () => {
    const { buyerId, response, current } = await aStalledInit(message.orderFundRequested);
    const [order] = await ordersOf(buyerId);
    const isOf = ({ payload }: message.Envelope) => (payload as { readonly orderId?: string }).orderId === order?.id;
    const earlier = orders.simulated.published.filter(isOf);
    expect(earlier.map(({ type }) => type)).toEqual(['balance.reservation_made', 'escrow.created']);
    for (const each of earlier) {
      await orders.simulated.republish(each);
      await orders.simulated.republish({
        ...each,
        id: `${each.id.slice(0, -1)}${each.id.endsWith('0') ? '1' : '0'}` as MessageId,
      });
    }
    await orders.idle();
    expect(await ordersOf(buyerId)).toEqual([order]);
    expect((await openRunsOf(buyerId)).map(({ saga }) => saga)).toEqual(['init-escrow', 'fund']);
    await redrive(current);
    expect((await response).status).toBe(200);
  });
});

describe('an init that takes longer than the time limit', () => {
  it('504; it blocks the project, continues by itself, and the same request finds its result', async () => {
    const { buyerId, by, body } = await anInit(message.escrowDeployRequested);
    const timedOut = await orders.replica.post('/escrow/init', body, by);
    expect([timedOut.status, timedOut.body]).toMatchObject([504, { type: 'error', ok: false, data: null }]);
    expect((await orders.patch(`/projects/${body.project_id}`, { status: 'canceled' }, by)).status).toBe(400);
    expect((await orders.post('/escrow/init', { ...body, amount: 50 }, by)).status).toBe(400);
    expect((await orders.replica.post('/escrow/init', body, by)).status).toBe(504);

    const again = orders.post('/escrow/init', body, by);
    const [order] = await ordersOf(buyerId);
    const orderId = order?.id ?? 'ord_none';
    const escrowId = await eventually(() => {
      expect(escrowIdOf(orderId)).not.toBe('esc_none');
      return escrowIdOf(orderId);
    });
    const created = { escrowId, orderId, ...funds, providerContractId: 'C1' };
    await orders.simulated.publish(message.escrowCreated, created, { saga: 'create-escrow' });

    const result = await again;
    expect([result.status, result.data]).toMatchObject([200, { status: 'funded', escrow_id: escrowId }]);
  });
});
