import type { SagaRunView } from '@holdfast/contracts/http';
import * as message from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { escrowIdOf, type Responder } from '../testing/simulated-services.js';
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
const reason = 'the contract has been paid out in another way';
const atContract = (id: string) =>
  [message.escrowSettlementContradicted, { escrowId: escrowIdOf(id), orderId: id as `ord_${string}`, reason }] as const;
const atLedger = (id: string) => [message.balanceSettlementContradicted, { orderId: id, currency: 'USD', reason }] as const;

async function runOf(orderId: string): Promise<SagaRunView | undefined> {
  const { runs } = (await orders.get('/internal/saga-runs', system)).data as { readonly runs: readonly SagaRunView[] };
  return runs.find((run) => run.orderId === orderId);
}

const alertsAbout = (id: string) =>
  orders.log.lines.filter(({ fact, fields }) => fact === 'settlement contradicted' && fields['orderId'] === id);
const contradictionsIn = async (id: string) =>
  (await orders.auditsOf(id)).filter(({ action }) => action === 'SETTLEMENT_CONTRADICTED');

describe('a contradicted settlement', () => {
  it.each([
    ['by the contract, of a release', 'release', 'RELEASE_REQUESTED', atContract],
    ['by the contract, of a refund', 'refund', 'REFUND_REQUESTED', atContract],
    ['by the ledger, of a release', 'release', 'RELEASE_REQUESTED', atLedger],
  ] as const)('%s stops the retries of its run, with one alert and one audit entry', async (_, step, status, contradiction) => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, silent);
    expect((await orders.replica.do(id, step)).status).toBe(504);
    const run = await runOf(id);
    expect(run).toMatchObject({ retryStoppedReason: null });

    const [declaration, payload] = contradiction(id);
    const fields = { saga: step, sagaRunId: run?.id };
    const published = await orders.simulated.publish<message.MessageDeclaration>(declaration, payload, fields);
    await orders.simulated.republish(published);

    await eventually(async () => expect(await runOf(id)).toMatchObject({ nextRetryAt: null, retryStoppedReason: reason }));
    await orders.idle();
    expect((await orders.orderNow(id)).status).toBe(status);
    expect(alertsAbout(id)).toMatchObject([{ level: 'error', fields: { sagaRunId: run?.id, reason } }]);
    expect(await contradictionsIn(id)).toMatchObject([{ result: 'FAILURE', reason }]);
  });

  it('by the ledger, of a failed funding whose money is not in escrow any more, stops the retries too', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, silent);
    expect((await orders.replica.do(id, 'fund')).status).toBe(504);
    const run = await runOf(id);
    const [declaration, payload] = atLedger(id);
    await orders.simulated.publish(declaration, payload, { saga: 'fund', sagaRunId: run?.id });
    await eventually(async () => expect(await runOf(id)).toMatchObject({ nextRetryAt: null, retryStoppedReason: reason }));
    expect((await orders.orderNow(id)).escrow?.status).toBe('FUNDING');
    expect(alertsAbout(id)).toMatchObject([{ level: 'error', fields: { sagaRunId: run?.id, reason } }]);
  });

  it('is retried when an operator redrives its run', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, silent);
    await orders.replica.do(id, 'release');
    const run = await runOf(id);
    const [declaration, payload] = atContract(id);
    await orders.simulated.publish(declaration, payload, { saga: 'release', sagaRunId: run?.id });
    await eventually(async () => expect(await runOf(id)).toMatchObject({ retryStoppedReason: reason }));
    await orders.idle(); // the broker drops a copy of a command that is still in its queue
    expect((await orders.post(`/internal/saga-runs/${run?.id ?? ''}/redrive`, {}, system)).status).toBe(200);
    await eventually(async () => expect((await orders.orderNow(id)).status).toBe('CLOSED'));
  });

  it('that an operator resolves as failed leaves no run open, and the order continues', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, silent);
    await orders.replica.do(id, 'refund');
    const run = await runOf(id);
    const [declaration, payload] = atContract(id);
    await orders.simulated.publish(declaration, payload, { saga: 'refund', sagaRunId: run?.id });
    await eventually(async () => expect(await runOf(id)).toMatchObject({ retryStoppedReason: reason }));
    const failed = { ...payload, reason: 'resolved by an operator: ticket 7', isDisputed: false };
    await orders.simulated.publish(message.escrowSettlementFailed, failed, { saga: 'refund', sagaRunId: run?.id });
    await eventually(async () => expect(await runOf(id)).toBeUndefined());
    expect((await orders.orderNow(id)).status).toBe('IN_PROGRESS');
  });
});
