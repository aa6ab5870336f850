import type { SagaRunView } from '@holdfast/contracts/http';
import * as message from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import type { Responder } from '../testing/simulated-services.js';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  // Requests to the second replica get their 504 at once; the steps before them have time.
  orders = await startOrders({}, { replicaEnv: { SETTLEMENT_TIMEOUT_MS: '50' } });
});

afterAll(async () => {
  await orders.stop();
});

const silent: Responder = () => [];
const system = { type: 'system', id: 'tools', scopes: [] } as const;

async function runOf(orderId: string): Promise<SagaRunView | undefined> {
  const { runs } = (await orders.get('/internal/saga-runs', system)).data as { readonly runs: readonly SagaRunView[] };
  return runs.find((run) => run.orderId === orderId);
}

describe('a stalled saga', () => {
  it.each([
    ['reserve', message.orderReserveRequested, [], 'ORDER_CREATED', 'FUNDS_RESERVED'],
    ['cancel', message.orderCancelRequested, stepsUntil.reserved, 'FUNDS_RESERVED', 'CLOSED'],
    ['escrow', message.escrowDeployRequested, stepsUntil.reserved, 'ESCROW_CREATING', 'ESCROW_FUNDING'],
    ['fund', message.orderFundRequested, stepsUntil.escrowed, 'ESCROW_FUNDING', 'IN_PROGRESS'],
    ['release', message.escrowSettlementRequested, stepsUntil.inProgress, 'RELEASE_REQUESTED', 'CLOSED'],
    ['refund', message.escrowSettlementRequested, stepsUntil.inProgress, 'REFUND_REQUESTED', 'CLOSED'],
  ] as const)('504 PROVIDER_TIMEOUT for %s with the order status; the saga ends once its command is resent', async (...given) => {
    const [step, command, steps, meanwhile, end] = given;
    const { id } = await orders.anOrderAfter(steps);
    orders.simulated.replyNextWith(id, command, silent);
    const response = await orders.replica.do(id, step);
    expect([response.status, response.code, response.details['orderStatus']]).toEqual([504, 'PROVIDER_TIMEOUT', meanwhile]);
    expect((await orders.do(id, step)).code).toBe('INVALID_STATE');

    await orders.idle(); // the broker drops a copy of a command that is still in its queue
    const run = await runOf(id);
    expect(run).toMatchObject({ orderId: id, orderStatus: meanwhile, isPastPointOfNoReturn: step === 'cancel' });
    const operator = { by: 'Ada', reason: 'ticket 7' };
    expect((await orders.post(`/internal/saga-runs/${run?.id ?? ''}/redrive`, { operator }, system)).status).toBe(200);

    await eventually(async () => expect((await orders.orderNow(id)).status).toBe(end));
    const ended = await orders.get(`/internal/saga-runs/${run?.id ?? ''}`, system);
    expect(ended.data).toMatchObject({ id: run?.id, state: 'SUCCEEDED', endedAt: expect.any(String) });
    const audited = orders.published.map(({ payload }) => payload as { readonly action?: string; readonly actorId?: string });
    expect(audited.filter(({ action }) => action === 'SAGA_REDRIVEN').at(-1)).toMatchObject({
      actorType: 'operator',
      actorId: 'Ada',
      reason: 'ticket 7',
      after: { sagaRunId: run?.id },
    });
    expect(await runOf(id)).toBeUndefined();
    const resent = orders.published.filter(({ type, sagaRunId }) => type === command.type && sagaRunId === run?.id);
    expect([resent.length, new Set(resent.map(({ id: messageId }) => messageId)).size]).toEqual([2, 1]);
    await orders.idle();
    const repeated = orders.published.filter((each) => each.sagaRunId === run?.id && orders.repeatedIds.has(each.id));
    expect(new Set(repeated.map(({ type }) => type))).toEqual(new Set([command.type]));
  });

  it('404 for an unknown run, and 403 for a caller that is not a service', async () => {
    expect((await orders.post('/internal/saga-runs/run_unknown/redrive', {}, system)).status).toBe(404);
    expect((await orders.get('/internal/saga-runs')).status).toBe(403);
  });
});

describe('a saga that is stalled for SAGA_STALLED_AFTER_MS', () => {
  let eager: RunningOrders;

  beforeAll(async () => {
    eager = await startOrders({ SETTLEMENT_TIMEOUT_MS: '50', SAGA_STALLED_AFTER_MS: '200' });
  });

  afterAll(async () => {
    await eager.stop();
  });

  it('gets its command resent by the job', async () => {
    const { id } = await eager.anOrder();
    eager.simulated.replyNextWith(id, message.orderReserveRequested, silent);
    expect((await eager.do(id, 'reserve')).status).toBe(504);
    await eventually(async () => expect((await eager.orderNow(id)).status).toBe('FUNDS_RESERVED'));
    expect(eager.log.lines.map(({ fact }) => fact)).toContain('stalled saga: command resent');
  });

  it('gets its command resent although 2,000 older runs cannot end', async () => {
    await eager.database.asAdmin(
      `insert into orders.saga_runs (id, saga, aggregate_id, marketplace_id, correlation_id, begun_at, attempts, next_retry_at)
       select 'run_' || n, 'reserve', 'ord_' || n, '${defaultMarketplaceId}', 'req', now() - interval '1 day', 20, now()
       from generate_series(1, 2000) as n`,
    );
    const { id } = await eager.anOrder();
    eager.simulated.replyNextWith(id, message.orderReserveRequested, silent);
    expect((await eager.do(id, 'reserve')).status).toBe(504);
    await eventually(async () => expect((await eager.orderNow(id)).status).toBe('FUNDS_RESERVED'));
  });
});
