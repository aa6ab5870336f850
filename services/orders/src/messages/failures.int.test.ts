import * as message from '@holdfast/contracts/messages';
import type { TestResponse } from '@holdfast/testing/services';
import { escrowIdOf, reply, type Responder } from '../testing/simulated-services.js';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const seen = ({ status, code }: TestResponse) => [status, code];
const typesOf = (events: readonly message.Envelope[]) => events.map(({ type }) => type);
const balances = { availableBalance: '400.00', reservedBalance: '100.00' };

async function lastAudit(orderId: string) {
  const { action, result, reason, before, after } = (await orders.auditsOf(orderId)).at(-1) ?? {};
  return { action, result, reason, before, after };
}

describe('reserve', () => {
  it("422 INSUFFICIENT_FUNDS with the ledger's details; the order stays ORDER_CREATED, and the next attempt works", async () => {
    const { id } = await orders.anOrder();
    const details = { requested: '100.00', available: '1.00', currency: 'USD' };
    orders.simulated.replyNextWith(id, message.orderReserveRequested, (command) => [
      reply(message.balanceHoldRefused, { ...command, code: 'INSUFFICIENT_FUNDS', details }),
    ]);
    const response = await orders.do(id, 'reserve');
    expect([...seen(response), response.details]).toMatchObject([422, 'INSUFFICIENT_FUNDS', details]);
    expect((await orders.orderNow(id)).status).toBe('ORDER_CREATED');
    expect(await lastAudit(id)).toMatchObject({
      action: 'FUNDS_RESERVE_FAILED',
      result: 'FAILURE',
      reason: 'INSUFFICIENT_FUNDS',
    });
    expect((await orders.do(id, 'reserve')).data.data.status).toBe('FUNDS_RESERVED');
    expect(typesOf(await orders.eventsOf(id))).toEqual(['order.created', 'order.funds_reserved']);
  });
});

describe('create-escrow', () => {
  it('500 INTERNAL_ERROR with the reason; the order is FUNDS_RESERVED, and the next attempt has a new escrow id', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    orders.simulated.replyNextWith(id, message.escrowDeployRequested, ({ escrowId, orderId }) => [
      reply(message.escrowCreationFailed, { escrowId, orderId, reason: 'the provider refused' }),
    ]);
    const response = await orders.do(id, 'escrow');
    expect([...seen(response), response.details]).toMatchObject([500, 'INTERNAL_ERROR', { reason: 'the provider refused' }]);
    const failedId = escrowIdOf(id);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: null });
    expect(await lastAudit(id)).toEqual({
      action: 'ESCROW_CREATE_FAILED',
      result: 'FAILURE',
      reason: 'the provider refused',
      before: { status: 'ESCROW_CREATING' },
      after: { status: 'FUNDS_RESERVED' },
    });
    const next = (await orders.do(id, 'escrow')).data.data;
    expect(next).toMatchObject({
      status: 'ESCROW_FUNDING',
      escrow: { status: 'CREATED', providerContractId: 'C1', terms: null },
    });
    expect(next.escrow.id).not.toBe(failedId);
  });

  const unconfirmed: Responder = ({ escrowId, orderId }) => [reply(message.escrowCreationUnconfirmed, { escrowId, orderId })];

  it('201 ESCROW_CREATING while the deployment is unconfirmed; no other saga starts, and escrow.created completes it', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    orders.simulated.replyNextWith(id, message.escrowDeployRequested, unconfirmed);
    const response = await orders.do(id, 'escrow');
    expect([response.status, response.data.data]).toMatchObject([
      201,
      { status: 'ESCROW_CREATING', escrow: { status: 'CREATING', providerContractId: null } },
    ]);
    const concurrent = await orders.do(id, 'cancel');
    expect([...seen(concurrent), concurrent.details]).toMatchObject([400, 'INVALID_STATE', { operation: 'create-escrow' }]);
    const created = {
      escrowId: escrowIdOf(id),
      orderId: id,
      amount: '100.00',
      currency: 'USD',
      providerContractId: 'C7',
    } as const;
    await orders.simulated.publish(message.escrowCreated, created);
    await orders.idle();
    expect(await orders.orderNow(id)).toMatchObject({ status: 'ESCROW_FUNDING', escrow: { providerContractId: 'C7' } });
    expect((await orders.do(id, 'fund')).data.data.status).toBe('IN_PROGRESS');
  });

  it('201 for the next attempt after an unconfirmed deployment has failed', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    orders.simulated.replyNextWith(id, message.escrowDeployRequested, unconfirmed);
    await orders.do(id, 'escrow');
    await orders.simulated.publish(message.escrowCreationFailed, { escrowId: escrowIdOf(id), orderId: id, reason: 'never seen' });
    await orders.idle();
    expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: null });
    expect((await orders.do(id, 'escrow')).data.data.status).toBe('ESCROW_FUNDING');
  });

  it('409 ESCROW_ALREADY_EXISTS after a funding that failed', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, (command) => [
      reply(message.balanceDeductionRestored, { ...command, ...balances }),
    ]);
    await orders.do(id, 'fund');
    expect(seen(await orders.do(id, 'escrow'))).toEqual([409, 'ESCROW_ALREADY_EXISTS']);
  });
});

describe('fund', () => {
  it('422 RESERVE_NOT_FOUND with the reserved amount; the order is FUNDS_RESERVED and can be funded or canceled', async () => {
    const [one, two] = [await orders.anOrderAfter(stepsUntil.escrowed), await orders.anOrderAfter(stepsUntil.escrowed)];
    const details = { requested: '100.00', reserved: '40.00', currency: 'USD' };
    for (const { id } of [one, two]) {
      // The second refusal is of a funding that was tried again, in FUNDS_RESERVED.
      for (const status of ['ESCROW_FUNDING', 'FUNDS_RESERVED']) {
        orders.simulated.replyNextWith(id, message.orderFundRequested, (command) => [
          reply(message.balanceDeductionRefused, { ...command, code: 'RESERVE_NOT_FOUND', details }),
        ]);
        const response = await orders.do(id, 'fund');
        expect([...seen(response), response.details]).toMatchObject([422, 'RESERVE_NOT_FOUND', details]);
        expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: { status: 'CREATED' } });
        expect(await lastAudit(id)).toMatchObject({
          action: 'ESCROW_FUNDING_FAILED',
          reason: 'RESERVE_NOT_FOUND',
          before: { status },
          after: { status: 'FUNDS_RESERVED' },
        });
      }
      expect(seen(await orders.do(id, 'reserve'))).toEqual([400, 'INVALID_STATE']);
      expect(seen(await orders.do(id, 'escrow'))).toEqual([409, 'ESCROW_ALREADY_EXISTS']);
    }
    expect(seen(await orders.do(one.id, 'fund'))).toEqual([201, undefined]);
    expect((await orders.do(two.id, 'cancel')).data.data).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
  });

  it('400 ESCROW_FUNDING_FAILED; the order is FUNDS_RESERVED with its unfunded escrow and can be funded or canceled', async () => {
    const [one, two] = [await orders.anOrderAfter(stepsUntil.escrowed), await orders.anOrderAfter(stepsUntil.escrowed)];
    for (const { id } of [one, two]) {
      orders.simulated.replyNextWith(id, message.orderFundRequested, (command) => [
        reply(message.balanceDeductionRestored, { ...command, ...balances }),
      ]);
      expect(seen(await orders.do(id, 'fund'))).toEqual([400, 'ESCROW_FUNDING_FAILED']);
      expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: { status: 'CREATED' } });
      expect(await lastAudit(id)).toMatchObject({ action: 'ESCROW_FUNDING_FAILED', result: 'FAILURE' });
    }
    expect((await orders.do(one.id, 'fund')).data.data).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'FUNDED' } });
    expect((await orders.do(two.id, 'cancel')).data.data).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    const started = (await orders.eventsOf(one.id)).filter(({ type }) => type === 'escrow.funding_started');
    expect(started.map(({ aggregateVersion }) => aggregateVersion)).toEqual([1, 2]);
    expect(new Set(started.map(({ id }) => id)).size).toBe(2);
  });
});

describe('release and refund', () => {
  const settlementFailed: Responder = ({ escrowId, orderId }) => [
    reply(message.escrowSettlementFailed, { escrowId, orderId, reason: 'the network is down', isDisputed: false }),
  ];
  const failedAfterDispute: Responder = ({ escrowId, orderId }) => [
    reply(message.escrowSettlementFailed, { escrowId, orderId, reason: 'the network is down', isDisputed: true }),
  ];

  it.each([
    ['release', 'RELEASE_FAILED', 'RELEASED'],
    ['refund', 'REFUND_FAILED', 'REFUNDED'],
  ] as const)(
    '%s: 500 INTERNAL_ERROR returns the order to IN_PROGRESS, and the next attempt works',
    async (step, action, end) => {
      const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
      orders.simulated.replyNextWith(id, message.escrowSettlementRequested, settlementFailed);
      const response = await orders.do(id, step);
      expect([...seen(response), response.details]).toMatchObject([500, 'INTERNAL_ERROR', { reason: 'the network is down' }]);
      expect(await orders.orderNow(id)).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'FUNDED' } });
      expect(await lastAudit(id)).toMatchObject({ action, result: 'FAILURE', after: { status: 'IN_PROGRESS' } });
      expect((await orders.do(id, step)).data.data).toMatchObject({
        status: 'CLOSED',
        closeReason: end,
        escrow: { status: end },
      });
      expect(seen(await orders.do(id, step))).toEqual([400, 'INVALID_STATE']);
    },
  );

  it.each([
    ['refund', 'REFUNDED'],
    ['release', 'RELEASED'],
  ] as const)(
    '500 INTERNAL_ERROR for a refund that has disputed the contract; the escrow is DISPUTED, and a %s is still possible',
    async (step, end) => {
      const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
      orders.simulated.replyNextWith(id, message.escrowSettlementRequested, failedAfterDispute);
      expect(seen(await orders.do(id, 'refund'))).toEqual([500, 'INTERNAL_ERROR']);
      expect(await orders.orderNow(id)).toMatchObject({ status: 'IN_PROGRESS', dispute: null, escrow: { status: 'DISPUTED' } });
      expect(await lastAudit(id)).toMatchObject({
        action: 'REFUND_FAILED',
        after: { status: 'IN_PROGRESS', escrowStatus: 'DISPUTED' },
      });
      orders.simulated.replyNextWith(id, message.escrowSettlementRequested, settlementFailed);
      expect(seen(await orders.do(id, step))).toEqual([500, 'INTERNAL_ERROR']);
      expect((await orders.orderNow(id)).escrow?.status).toBe('DISPUTED');
      expect((await orders.do(id, step)).data.data).toMatchObject({
        status: 'CLOSED',
        closeReason: end,
        escrow: { status: end },
      });
    },
  );

  it('201 for a dispute about an order whose refund has failed after disputing the contract', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    orders.simulated.replyNextWith(id, message.escrowSettlementRequested, failedAfterDispute);
    await orders.do(id, 'refund');
    expect(seen(await orders.do(id, 'dispute'))).toEqual([201, undefined]);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'DISPUTED', escrow: { status: 'DISPUTED' } });
  });

  it('200 for a refund, which has no fee', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    await orders.do(id, 'refund', { reason: 'cannot deliver' });
    const events = await orders.eventsOf(id);
    expect(typesOf(events).slice(-3)).toEqual(['order.refund_requested', 'order.refunded', 'order.closed']);
    expect(events.at(-2)?.payload).toMatchObject({ amount: '100.00', newBuyerBalance: '500.00' });
    expect(events.at(-1)?.payload).toMatchObject({ finalStatus: 'REFUNDED' });
    const command = orders.published.find(
      ({ type, payload }) => type === 'escrow.settlement_requested' && JSON.stringify(payload).includes(id),
    );
    expect(command?.payload).toMatchObject({
      decision: 'REFUND',
      sellerAmount: '0.00',
      buyerAmount: '100.00',
      platformFee: '0.00',
    });
    expect((await orders.auditsOf(id)).find(({ action }) => action === 'REFUND_REQUESTED')?.reason).toBe('cannot deliver');
  });
});

describe('cancel', () => {
  it('201 closes a reserved order and publishes who canceled it and why', async () => {
    const { id, buyerId } = await orders.anOrderAfter(stepsUntil.reserved);
    const response = await orders.do(id, 'cancel', { reason: 'changed my mind', canceledBy: 'the buyer' });
    expect([response.status, response.data.data]).toMatchObject([201, { status: 'CLOSED', closeReason: 'CANCELED' }]);
    const [canceled, closed] = (await orders.eventsOf(id)).slice(-2);
    expect([canceled?.type, canceled?.payload]).toMatchObject([
      'order.canceled',
      { buyerId, canceledBy: 'the buyer', reason: 'changed my mind', fundsReleased: true },
    ]);
    expect(closed?.payload).toMatchObject({ finalStatus: 'CANCELED' });
    expect(await lastAudit(id)).toMatchObject({
      action: 'ORDER_CANCELED',
      reason: 'changed my mind',
      after: { status: 'CLOSED' },
    });
  });

  it('201 for an order without reserved funds; 400 INVALID_STATE once it has an escrow', async () => {
    const { id } = await orders.anOrder();
    orders.simulated.replyNextWith(id, message.orderCancelRequested, (command) => [
      reply(message.balanceHoldFreed, { ...command, amount: '0.00', ...balances }),
    ]);
    const key = { type: 'api_key', id: 'key_7' } as const;
    expect(seen(await orders.do(id, 'cancel', {}, key))).toEqual([201, undefined]);
    expect((await orders.eventsOf(id)).at(-2)?.payload).toMatchObject({ canceledBy: 'key_7', fundsReleased: false });
    const { id: escrowed } = await orders.anOrderAfter(stepsUntil.escrowed);
    expect(seen(await orders.do(escrowed, 'cancel'))).toEqual([400, 'INVALID_STATE']);
  });
});
