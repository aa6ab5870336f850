import type { SagaRunView } from '@holdfast/contracts/http';
import * as message from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { paidOut, reply, type Responder } from '../testing/simulated-services.js';
import { startOrders, stepsUntil, type RunningOrders, type Step } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const silent: Responder = () => [];
const system = { type: 'system', id: 'tools', scopes: [] } as const;
const reason = 'aborted';

/** What the participants publish when they abort a run. */
const aborted = {
  reserve: ({ commandId: _, ...funds }) => [
    reply(message.balanceReservationRefused, { ...funds, code: 'PROVIDER_TIMEOUT', details: {} }),
  ],
  escrow: ({ escrowId, orderId }) => [reply(message.escrowCreationFailed, { escrowId, orderId, reason })],
  fund: ({ orderId, amount, currency, buyerId: userId }) => {
    const balances = { availableBalance: '400.00', reservedBalance: '100.00' };
    return [reply(message.balanceDeductionRestored, { orderId, userId, amount, currency, ...balances })];
  },
  release: ({ escrowId, orderId }) => [reply(message.escrowSettlementFailed, { escrowId, orderId, reason, isDisputed: false })],
  refund: ({ escrowId, orderId }) => [reply(message.escrowSettlementFailed, { escrowId, orderId, reason, isDisputed: false })],
} as const satisfies Readonly<Record<string, Responder>>;

async function runOf(orderId: string): Promise<SagaRunView | undefined> {
  const { runs } = (await orders.get('/internal/saga-runs', system)).data as { readonly runs: readonly SagaRunView[] };
  return runs.find((run) => run.orderId === orderId);
}

/** Starts a saga whose command gets no reply. */
async function stall(orderId: string, step: Step, command: message.MessageDeclaration) {
  orders.simulated.replyNextWith(orderId, command, silent);
  const response = orders.do(orderId, step);
  const run = await eventually(async () => {
    const found = await runOf(orderId);
    if (found === undefined) throw new Error('the run has not started yet');
    return found;
  });
  await orders.idle(); // the broker drops a copy of a command that is still in its queue
  return { response, run };
}

const letDeadlinePass = ({ id }: SagaRunView) =>
  orders.database.asAdmin('update orders.saga_runs set deadline_at = now() where id = $1', [id]);

const sentIn = ({ id }: SagaRunView, { type }: message.MessageDeclaration) =>
  orders.published.filter((sent) => sent.sagaRunId === id && sent.type === type);

const { orderAbortRequested, escrowAbortRequested } = message;

describe('a saga run past its deadline', () => {
  it.each([
    ['reserve', message.orderReserveRequested, orderAbortRequested, [], 'PROVIDER_TIMEOUT', 'ORDER_CREATED', 'FUNDS_RESERVED'],
    [
      'escrow',
      message.escrowDeployRequested,
      escrowAbortRequested,
      stepsUntil.reserved,
      'INTERNAL_ERROR',
      'FUNDS_RESERVED',
      'ESCROW_FUNDING',
    ],
    [
      'fund',
      message.orderFundRequested,
      escrowAbortRequested,
      stepsUntil.escrowed,
      'ESCROW_FUNDING_FAILED',
      'FUNDS_RESERVED',
      'IN_PROGRESS',
    ],
    [
      'release',
      message.escrowSettlementRequested,
      escrowAbortRequested,
      stepsUntil.inProgress,
      'INTERNAL_ERROR',
      'IN_PROGRESS',
      'CLOSED',
    ],
    [
      'refund',
      message.escrowSettlementRequested,
      escrowAbortRequested,
      stepsUntil.inProgress,
      'INTERNAL_ERROR',
      'IN_PROGRESS',
      'CLOSED',
    ],
  ] as const)(
    '%s is aborted: the order is as before, an audit entry says why, and the next attempt succeeds',
    async (...given) => {
      const [step, command, abort, steps, code, before, after] = given;
      const { id } = await orders.anOrderAfter(steps);
      orders.simulated.replyNextWith(id, abort, aborted[step]);
      const { response, run } = await stall(id, step, command);

      await letDeadlinePass(run);

      expect((await response).code).toBe(code);
      expect(await runOf(id)).toBeUndefined();
      expect((await orders.orderNow(id)).status).toBe(before);
      expect(sentIn(run, abort)[0]?.payload).toMatchObject({ orderId: id, commandId: sentIn(run, command)[0]?.id });
      const entries = (await orders.auditsOf(id)).filter(({ action }) => action === 'SAGA_ABORT_REQUESTED');
      expect(entries).toMatchObject([{ actorType: 'system', actorId: 'orders', reason: 'the saga run is past its deadline' }]);
      await orders.do(id, step);
      expect((await orders.orderNow(id)).status).toBe(after);
    },
  );

  it('continues when its participant has started the step; the abort is repeated as the same message', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    const { response, run } = await stall(id, 'release', message.escrowSettlementRequested);
    for (const count of [1, 2]) {
      await letDeadlinePass(run);
      await eventually(() => expect(sentIn(run, escrowAbortRequested)).toHaveLength(count));
    }
    expect(new Set(sentIn(run, escrowAbortRequested).map(({ id: messageId }) => messageId)).size).toBe(1);
    expect((await orders.orderNow(id)).status).toBe('RELEASE_REQUESTED');
    expect((await orders.do(id, 'release')).code).toBe('INVALID_STATE');

    await orders.post(`/internal/saga-runs/${run.id}/redrive`, {}, system);

    expect((await response).status).toBe(200);
    expect((await orders.orderNow(id)).status).toBe('CLOSED');
  });

  it('is not aborted once the contract has paid', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, (command) => paidOut(command).slice(0, 1));
    const response = orders.do(id, 'refund');
    const run = await eventually(async () => {
      const found = await runOf(id);
      if (found?.isPastPointOfNoReturn !== true) throw new Error('the contract has not paid yet');
      return found;
    });
    await letDeadlinePass(run);
    const isTaken = `select 1 from orders.saga_runs where id = $1 and deadline_at > now()`;
    await eventually(async () => expect(await orders.database.asAdmin(isTaken, [run.id])).toHaveLength(1));
    await orders.post(`/internal/saga-runs/${run.id}/redrive`, {}, system);
    expect((await response).status).toBe(200);
    expect(sentIn(run, escrowAbortRequested)).toEqual([]);
  });

  it('of a cancel has no deadline, because its command always succeeds', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    const { response, run } = await stall(id, 'cancel', message.orderCancelRequested);
    const deadlines = await orders.database.asAdmin('select deadline_at from orders.saga_runs where id = $1', [run.id]);
    expect(deadlines).toEqual([{ deadline_at: null }]);
    await orders.post(`/internal/saga-runs/${run.id}/redrive`, {}, system);
    expect((await response).status).toBe(201);
  });

  it('ignores the reply to an abort that comes after the run ended', async () => {
    const { id } = await orders.anOrder();
    expect((await orders.do(id, 'reserve')).status).toBe(201);
    const placed = orders.simulated.published.find(({ type, payload }) => {
      return type === message.balanceReservationMade.type && (payload as { readonly orderId: string }).orderId === id;
    });
    const funds = { orderId: id, userId: 'usr_1', amount: '100.00', currency: 'USD' } as const;
    const late = { ...funds, code: 'PROVIDER_TIMEOUT', details: {} } as const;
    await orders.simulated.publish(message.balanceReservationRefused, late, { saga: 'reserve', sagaRunId: placed?.sagaRunId });
    await orders.idle();
    expect((await orders.orderNow(id)).status).toBe('FUNDS_RESERVED');
  });
});
