import * as message from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { anInstant, escrowIdOf, paidOut, reply, type Responder } from '../testing/simulated-services.js';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const silent: Responder = () => [];
const publishedAbout = (id: string) => orders.simulated.published.filter(({ payload }) => JSON.stringify(payload).includes(id));
const countOf = async (id: string) => (await orders.eventsOf(id)).length;

function releasedPayload(id: string, sellerId: `usr_${string}`) {
  const of = { escrowId: escrowIdOf(id), orderId: id as `ord_${string}`, amount: '100.00', currency: 'USD' } as const;
  return { ...of, sellerId, platformFee: '5.00', netAmount: '95.00', releasedAt: anInstant };
}

function settledPayload(id: string, userId: `usr_${string}`, amount = '95.00', fee = '5.00') {
  return { orderId: id, currency: 'USD' as const, fee, payouts: [{ userId, amount, newAvailableBalance: '95.00' }] };
}

describe('a redelivered message', () => {
  it('changes nothing, with its old id or with a new id in the same run', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    await orders.do(id, 'release');
    const [before, count] = [await orders.orderNow(id), await countOf(id)];
    for (const published of publishedAbout(id)) {
      await orders.simulated.republish(published);
      await orders.simulated.republish({ ...published, id: `${published.id}X` as message.Envelope['id'] });
    }
    await orders.idle();
    expect([await orders.orderNow(id), await countOf(id)]).toEqual([before, count]);
  });
});

describe('a late reply', () => {
  it('to a closed run changes nothing while the next run is active', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, (command) => [
      reply(message.balanceDeductionRestored, { ...command, availableBalance: '0.00', reservedBalance: '100.00' }),
    ]);
    await orders.do(id, 'fund');
    const late = publishedAbout(id).slice(-1);
    orders.simulated.replyNextWith(id, message.orderFundRequested, silent);
    const second = orders.do(id, 'fund');
    await eventually(async () => expect((await orders.orderNow(id)).escrow?.status).toBe('FUNDING'));
    for (const published of late) await orders.simulated.republish({ ...published, id: 'evt_late1' });
    const escrow = {
      orderId: id,
      escrowId: escrowIdOf(id),
      providerContractId: 'C1',
      amount: '100.00',
      fundedAt: anInstant,
    } as const;
    await orders.simulated.publish(message.escrowFunded, escrow, { sagaRunId: late[0]?.sagaRunId });
    await orders.idle();
    expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: { status: 'FUNDING' } });
    const run = orders.published.findLast(
      ({ type, aggregateId }) => type === 'order.fund_requested' && aggregateId === id,
    )?.sagaRunId;
    await orders.simulated.publish(message.escrowFunded, escrow, { sagaRunId: run });
    expect((await second).data.data).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'FUNDED', fundedAt: anInstant } });
  });

  it('that ends a run without an event still sets the predecessor of the next event', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, silent);
    const first = orders.do(id, 'fund');
    await eventually(async () => expect((await orders.orderNow(id)).escrow?.status).toBe('FUNDING'));
    await orders.idle();
    const run = orders.published.findLast(
      ({ type, aggregateId }) => type === 'order.fund_requested' && aggregateId === id,
    )?.sagaRunId;
    const { buyerId } = await orders.orderNow(id);
    const funds = { orderId: id, userId: buyerId, amount: '100.00', currency: 'USD' as const };
    const restored = { ...funds, availableBalance: '0.00', reservedBalance: '100.00' };
    await orders.simulated.publish(message.balanceDeductionRestored, restored, { sagaRunId: run, afterEventId: 'evt_restored' });
    await first;
    await orders.do(id, 'fund');
    const started = (await orders.eventsOf(id)).filter(({ type }) => type === 'escrow.funding_started');
    expect(started.map(({ afterEventId }) => afterEventId === 'evt_restored')).toEqual([false, true]);
  });

  it('about a failed deployment changes nothing', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    orders.simulated.replyNextWith(id, message.escrowDeployRequested, ({ escrowId, orderId }) => [
      reply(message.escrowCreationFailed, { escrowId, orderId, reason: 'no' }),
    ]);
    await orders.do(id, 'escrow');
    const orphan = {
      escrowId: escrowIdOf(id),
      orderId: id,
      amount: '100.00',
      currency: 'USD',
      providerContractId: 'C9',
    } as const;
    await orders.simulated.publish(message.escrowCreated, orphan);
    await orders.idle();
    expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: null });
  });
});

describe('messages in another order', () => {
  it('the payout of the ledger before that of the contract: the order is closed once, after both', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, (command) => [...paidOut(command)].reverse());
    const response = await orders.do(id, 'release');
    expect(response.data.data).toMatchObject({ status: 'CLOSED', escrow: { status: 'RELEASED', releasedAt: anInstant } });
    await orders.idle();
    expect((await orders.eventsOf(id)).filter(({ type }) => type === 'order.released')).toHaveLength(1);
  });

  it('the payout of the ledger before that of the contract: the closing events follow the event of the ledger', async () => {
    const { id, sellerId } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, silent);
    const response = orders.do(id, 'release');
    await eventually(async () => expect((await orders.orderNow(id)).status).toBe('RELEASE_REQUESTED'));
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId), { afterEventId: 'evt_credited' });
    await orders.idle();
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    expect((await response).data.data).toMatchObject({ status: 'CLOSED' });
    const published = (await orders.eventsOf(id)).find(({ type }) => type === 'order.released');
    expect(published?.afterEventId).toBe('evt_credited');
  });

  it('a settlement failure after the contract has paid is ignored', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, (command) => paidOut(command).slice(0, 1));
    const release = orders.do(id, 'release');
    await eventually(async () => expect((await orders.orderNow(id)).escrow?.status).toBe('RELEASED'));
    const command = orders.published.findLast(
      ({ type, aggregateId }) => type === 'escrow.settlement_requested' && aggregateId === id,
    );
    await orders.simulated.publish(
      message.escrowSettlementFailed,
      { escrowId: escrowIdOf(id), orderId: id, reason: 'lost the response', isDisputed: false },
      { sagaRunId: command?.sagaRunId },
    );
    await orders.idle();
    const { status, sellerId } = await orders.orderNow(id);
    expect(status).toBe('RELEASE_REQUESTED');
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId));
    expect((await release).data.data).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  });
});

describe('a contract that was paid out by somebody else', () => {
  it('takes an order from IN_PROGRESS to CLOSED', async () => {
    const { id, sellerId } = await orders.anOrderAfter(stepsUntil.inProgress);
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId));
    await orders.idle();
    expect(await orders.orderNow(id)).toMatchObject({
      status: 'CLOSED',
      closeReason: 'RELEASED',
      escrow: { status: 'RELEASED', releasedAt: anInstant },
    });
    expect((await orders.eventsOf(id)).slice(-2).map(({ type }) => type)).toEqual(['order.released', 'order.closed']);
    expect((await orders.auditsOf(id)).at(-1)).toMatchObject({
      action: 'CLOSED',
      actorType: 'system',
      actorId: 'ledger-network',
    });
  });

  it('resolves the dispute that was about it', async () => {
    const { id, buyerId } = await orders.anOrderAfter(stepsUntil.disputed);
    const of = { escrowId: escrowIdOf(id), orderId: id, amount: '100.00', currency: 'USD' } as const;
    await orders.simulated.publish(message.escrowRefunded, { ...of, buyerId, refundedAt: anInstant });
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, buyerId, '100.00', '0.00'));
    await orders.idle();
    expect(await orders.orderNow(id)).toMatchObject({
      closeReason: 'REFUNDED',
      escrow: { status: 'REFUNDED' },
      dispute: { status: 'RESOLVED', resolutionDecision: 'FULL_REFUND', refundAmount: '100.00', resolvedBy: 'ledger-network' },
    });
  });

  it('400 INVALID_STATE for a request to pay it the other way', async () => {
    const { id, sellerId } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, silent);
    const refund = orders.do(id, 'refund');
    await eventually(async () => expect((await orders.orderNow(id)).status).toBe('REFUND_REQUESTED'));
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId));
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    const response = await refund;
    expect([response.status, response.code, response.details]).toMatchObject([
      400,
      'INVALID_STATE',
      { currentStatus: 'CLOSED', allowedStatuses: ['IN_PROGRESS'], closeReason: 'RELEASED' },
    ]);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  });

  it('is retried until escrow.funded has been handled', async () => {
    const { id, sellerId } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, silent);
    const fund = orders.do(id, 'fund');
    await eventually(async () => expect((await orders.orderNow(id)).escrow?.status).toBe('FUNDING'));
    await orders.idle();
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId));
    const isCommand = ({ type, aggregateId }: message.Envelope) => type === 'order.fund_requested' && aggregateId === id;
    const run = await eventually(() => {
      const command = orders.published.findLast(isCommand);
      expect(command).toBeDefined();
      return command?.sagaRunId;
    });
    const escrow = {
      orderId: id,
      escrowId: escrowIdOf(id),
      providerContractId: 'C1',
      amount: '100.00',
      fundedAt: anInstant,
    } as const;
    await orders.simulated.publish(message.escrowFunded, escrow, { sagaRunId: run });
    expect((await fund).status).toBe(201);
    await eventually(async () => expect((await orders.orderNow(id)).status).toBe('CLOSED'));
  });
});

describe('a change on the ledger network', () => {
  const milestones = [
    { ref: 'a', title: 'A', amount: '50.00' },
    { ref: 'b', title: 'B', amount: '50.00' },
  ];

  it('completes a milestone, once', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones });
    const seen = { escrowId: escrowIdOf(id), orderId: id, milestoneRef: 'a' };
    await orders.simulated.publish(message.escrowMilestoneSeen, seen);
    await orders.simulated.publish(message.escrowMilestoneSeen, seen);
    await orders.simulated.publish(message.escrowMilestoneSeen, { ...seen, milestoneRef: 'z' });
    await orders.idle();
    expect((await orders.orderNow(id)).milestones.map(({ status }) => status)).toEqual(['COMPLETED', 'OPEN']);
    expect((await orders.eventsOf(id)).filter(({ type }) => type === 'escrow.milestone_completed')).toHaveLength(1);
  });

  it('marks the escrow DISPUTED; release is refused then, and a dispute can be opened and resolved', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    await orders.simulated.publish(message.escrowDisputeSeen, { escrowId: escrowIdOf(id), orderId: id });
    await orders.idle();
    expect(await orders.orderNow(id)).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'DISPUTED' } });
    expect((await orders.do(id, 'release')).code).toBe('INVALID_STATE');
    const disputeId = (await orders.do(id, 'dispute')).data.data.id as string;
    await orders.post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-3' });
    expect((await orders.post(`/disputes/${disputeId}/resolve`, { decision: 'FULL_RELEASE' })).status).toBe(200);
  });

  it('of an unknown order changes nothing and is not parked', async () => {
    await orders.simulated.publish(message.escrowDisputeSeen, { escrowId: 'esc_9', orderId: 'ord_nowhere' });
    await orders.idle();
    expect(await orders.database.asAdmin('select 1 from orders.parked_messages')).toEqual([]);
  });
});
