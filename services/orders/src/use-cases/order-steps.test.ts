import * as message from '@holdfast/contracts/messages';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, stepsUntil, type MemoryOrders } from '../testing/memory-orders.js';
import { escrowIdOf, reply, type Responder } from '../testing/simulated-services.js';
import { requestCancel } from './request-cancel.js';

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

const typesOf = (id: string) => orders.eventsOf(id).map(({ type }) => type);
const lastAudit = (id: string) => orders.auditsOf(id).at(-1);
const balances = { availableBalance: '400.00', reservedBalance: '100.00' };
const restored: Responder = (command) => [reply(message.balanceDeductionRestored, { ...command, ...balances })];
const unconfirmed: Responder = ({ escrowId, orderId }) => [reply(message.escrowCreationUnconfirmed, { escrowId, orderId })];

describe('reserve', () => {
  it('commands the ledger to reserve the amount; the order is FUNDS_RESERVED once it has', async () => {
    const { id, buyerId } = await orders.anOrder();
    expect(await orders.do(id, 'reserve')).toMatchObject({ status: 'FUNDS_RESERVED' });
    const funds = { orderId: id, amount: '100.00', currency: 'USD' };
    expect(orders.lastOf(id, message.orderReserveRequested)).toMatchObject({
      saga: 'reserve',
      payload: { ...funds, userId: buyerId },
    });
    expect(orders.eventsOf(id).at(-1)).toMatchObject({
      type: 'order.funds_reserved',
      payload: { ...funds, buyerId, ...balances },
    });
    expect(lastAudit(id)).toMatchObject({ action: 'FUNDS_RESERVED', before: { status: 'ORDER_CREATED' }, actorId: 'key_1' });
  });

  it("INSUFFICIENT_FUNDS with the ledger's details; the order stays ORDER_CREATED, and the next attempt works", async () => {
    const { id } = await orders.anOrder();
    const details = { requested: '100.00', available: '1.00', currency: 'USD' };
    orders.simulated.replyNextWith(id, message.orderReserveRequested, (command) => [
      reply(message.balanceReservationRefused, { ...command, code: 'INSUFFICIENT_FUNDS', details }),
    ]);
    expect(await refusalOf(orders.do(id, 'reserve'))).toEqual(['INSUFFICIENT_FUNDS', details]);
    expect((await orders.orderNow(id)).status).toBe('ORDER_CREATED');
    expect(lastAudit(id)).toMatchObject({ action: 'FUNDS_RESERVE_FAILED', result: 'FAILURE', reason: 'INSUFFICIENT_FUNDS' });
    expect((await orders.do(id, 'reserve')).status).toBe('FUNDS_RESERVED');
    expect(typesOf(id)).toEqual(['order.created', 'order.funds_reserved']);
  });

  it('of several requests at once starts one saga', async () => {
    const { id } = await orders.anOrder();
    const settled = await Promise.allSettled([1, 2, 3].map(() => orders.do(id, 'reserve')));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(typesOf(id)).toEqual(['order.created', 'order.funds_reserved']);
  });
});

describe('escrow', () => {
  it('commands the adapter to deploy a contract with its own milestone if the order has none', async () => {
    const { id, buyerId, sellerId } = await orders.anOrderAfter(stepsUntil.reserved, { title: '' });
    const { status, escrow } = await orders.do(id, 'escrow');
    expect([status, escrow]).toMatchObject(['ESCROW_FUNDING', { status: 'CREATED', providerContractId: 'C1', terms: null }]);
    expect(orders.lastOf(id, message.escrowDeployRequested)?.payload).toEqual({
      escrowId: escrow?.id,
      orderId: id,
      buyerId,
      sellerId,
      amount: '100.00',
      currency: 'USD',
      contractType: 'single-release',
      releaseMode: 'order',
      title: 'Order',
      description: 'Order',
      platformFeePercent: '5',
      milestones: [{ ref: 'order', title: 'Order', amount: '100.00' }],
    });
    expect(typesOf(id).slice(-2)).toEqual(['order.escrow_creating', 'order.escrow_funding']);
  });

  it('INTERNAL_ERROR if the milestones do not add up to the amount', async () => {
    const milestones = [{ ref: 'a', title: 'A', amount: '99.99' }];
    const { id } = await orders.anOrderAfter(stepsUntil.reserved, { milestones });
    expect(await refusalOf(orders.do(id, 'escrow'))).toEqual(['INTERNAL_ERROR', { reason: 'MILESTONES_DO_NOT_ADD_UP' }]);
  });

  it('INTERNAL_ERROR with the reason of a failure; the order is FUNDS_RESERVED, and the next attempt has a new escrow id', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    const reason = 'the provider refused';
    orders.simulated.replyNextWith(id, message.escrowDeployRequested, ({ escrowId, orderId }) => [
      reply(message.escrowCreationFailed, { escrowId, orderId, reason }),
    ]);
    expect(await refusalOf(orders.do(id, 'escrow'))).toEqual(['INTERNAL_ERROR', { reason, orderStatus: 'FUNDS_RESERVED' }]);
    const failedId = escrowIdOf(id);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: null });
    expect(lastAudit(id)).toMatchObject({
      action: 'ESCROW_CREATE_FAILED',
      result: 'FAILURE',
      reason,
      before: { status: 'ESCROW_CREATING' },
      after: { status: 'FUNDS_RESERVED' },
    });
    const next = await orders.do(id, 'escrow');
    expect(next).toMatchObject({ status: 'ESCROW_FUNDING', escrow: { status: 'CREATED' } });
    expect(next.escrow?.id).not.toBe(failedId);
  });

  it('ESCROW_CREATING while the deployment is unconfirmed; no other saga starts, and escrow.created completes it', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    orders.simulated.replyNextWith(id, message.escrowDeployRequested, unconfirmed);
    expect(await orders.do(id, 'escrow')).toMatchObject({
      status: 'ESCROW_CREATING',
      escrow: { status: 'CREATING', providerContractId: null },
      operation: { name: 'create-escrow', startedAt: expect.any(String) },
    });
    expect(await refusalOf(orders.do(id, 'cancel'))).toMatchObject(['INVALID_STATE', { operation: 'create-escrow' }]);
    const about = { escrowId: escrowIdOf(id), orderId: id, amount: '100.00', currency: 'USD' } as const;
    await orders.simulated.publish(message.escrowCreated, { ...about, providerContractId: 'C7' });
    expect(await orders.orderNow(id)).toMatchObject({
      status: 'ESCROW_FUNDING',
      escrow: { providerContractId: 'C7' },
      operation: null,
    });
    expect((await orders.do(id, 'fund')).status).toBe('IN_PROGRESS');
  });

  it('can be tried again after an unconfirmed deployment has failed, and a late message about that one changes nothing', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.reserved);
    orders.simulated.replyNextWith(id, message.escrowDeployRequested, unconfirmed);
    await orders.do(id, 'escrow');
    const orphan = { escrowId: escrowIdOf(id), orderId: id };
    await orders.simulated.publish(message.escrowCreationFailed, { ...orphan, reason: 'never seen' });
    const late = { ...orphan, amount: '100.00', currency: 'USD', providerContractId: 'C9' } as const;
    await orders.simulated.publish(message.escrowCreated, late);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: null });
    expect((await orders.do(id, 'escrow')).status).toBe('ESCROW_FUNDING');
  });
});

describe('fund', () => {
  it('commands the ledger to deduct the amount; the order is IN_PROGRESS once the contract has it', async () => {
    const { id, buyerId } = await orders.anOrderAfter(stepsUntil.escrowed);
    expect(await orders.do(id, 'fund')).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'FUNDED' } });
    expect(orders.lastOf(id, message.orderFundRequested)).toMatchObject({
      saga: 'fund',
      payload: { orderId: id, userId: buyerId, amount: '100.00', currency: 'USD' },
    });
    expect(typesOf(id).slice(-3)).toEqual(['escrow.funding_started', 'order.escrow_funded', 'order.in_progress']);
  });

  it('RESERVE_NOT_FOUND with the reserved amount; the order is FUNDS_RESERVED and can be funded or canceled', async () => {
    const details = { requested: '100.00', reserved: '40.00', currency: 'USD' } as const;
    const refused: Responder = (command) => [
      reply(message.balanceDeductionRefused, { ...command, code: 'RESERVE_NOT_FOUND', details }),
    ];
    const [one, two] = [await orders.anOrderAfter(stepsUntil.escrowed), await orders.anOrderAfter(stepsUntil.escrowed)];
    for (const { id } of [one, two]) {
      // The second refusal is of a funding that was tried again, in FUNDS_RESERVED.
      for (const status of ['ESCROW_FUNDING', 'FUNDS_RESERVED']) {
        orders.simulated.replyNextWith(id, message.orderFundRequested, refused);
        expect(await refusalOf(orders.do(id, 'fund'))).toMatchObject(['RESERVE_NOT_FOUND', details]);
        expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: { status: 'CREATED' } });
        expect(lastAudit(id)).toMatchObject({ action: 'ESCROW_FUNDING_FAILED', before: { status }, reason: 'RESERVE_NOT_FOUND' });
      }
      expect((await refusalOf(orders.do(id, 'reserve')))[0]).toBe('INVALID_STATE');
      expect((await refusalOf(orders.do(id, 'escrow')))[0]).toBe('ESCROW_ALREADY_EXISTS');
    }
    expect((await orders.do(one.id, 'fund')).status).toBe('IN_PROGRESS');
    expect(await orders.do(two.id, 'cancel')).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
  });

  it('ESCROW_FUNDING_FAILED after a compensated funding; the next one is another run with events of its own', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, restored);
    expect(await refusalOf(orders.do(id, 'fund'))).toEqual(['ESCROW_FUNDING_FAILED', { orderStatus: 'FUNDS_RESERVED' }]);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: { status: 'CREATED' } });
    expect(lastAudit(id)).toMatchObject({ action: 'ESCROW_FUNDING_FAILED', result: 'FAILURE' });
    expect((await refusalOf(orders.do(id, 'escrow')))[0]).toBe('ESCROW_ALREADY_EXISTS');
    expect(await orders.do(id, 'fund')).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'FUNDED' } });
    const started = orders.eventsOf(id).filter(({ type }) => type === 'escrow.funding_started');
    expect(started.map(({ aggregateVersion }) => aggregateVersion)).toEqual([1, 2]);
    expect(new Set(started.map((each) => each.id)).size).toBe(2);
  });

  it('ignores a late reply to an earlier run while the next one is active', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, restored);
    await refusalOf(orders.do(id, 'fund'));
    const [late] = orders.simulated.published.slice(-1) as [message.Envelope];
    orders.simulated.replyNextWith(id, message.orderFundRequested, () => []);
    const second = orders.do(id, 'fund');
    await orders.idle();
    await orders.simulated.republish({ ...late, id: 'evt_late1' });
    const escrow = {
      orderId: id,
      escrowId: escrowIdOf(id),
      providerContractId: 'C1',
      amount: '100.00',
      fundedAt: late.occurredAt,
    } as const;
    await orders.simulated.publish(message.escrowFunded, escrow, { sagaRunId: late.sagaRunId });
    expect(await orders.orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: { status: 'FUNDING' } });
    const sagaRunId = orders.lastOf(id, message.orderFundRequested)?.sagaRunId;
    await orders.simulated.publish(message.escrowFunded, escrow, { sagaRunId });
    expect(await second).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'FUNDED' } });
  });

  it('that ends without an event still sets the predecessor of the next event', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, () => []);
    const first = refusalOf(orders.do(id, 'fund'));
    await orders.idle();
    const { sagaRunId, payload } = orders.lastOf(id, message.orderFundRequested) as message.Envelope<
      message.Payload<typeof message.orderFundRequested>
    >;
    const fields = { sagaRunId, afterEventId: 'evt_restored' } as const;
    await orders.simulated.publish(message.balanceDeductionRestored, { ...payload, ...balances }, fields);
    await first;
    await orders.do(id, 'fund');
    const started = orders.eventsOf(id).filter(({ type }) => type === 'escrow.funding_started');
    expect(started.map(({ afterEventId }) => afterEventId === 'evt_restored')).toEqual([false, true]);
  });
});

describe('cancel', () => {
  it('closes a reserved order and publishes who canceled it and why', async () => {
    const { id, buyerId } = await orders.anOrderAfter(stepsUntil.reserved);
    const input = { id, reason: 'changed my mind', canceledBy: 'the buyer' };
    expect(await requestCancel(orders.deps, input, orders.by())).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    const [canceled, closed] = orders.eventsOf(id).slice(-2);
    const payload = { buyerId, canceledBy: 'the buyer', reason: 'changed my mind', fundsReleased: true };
    expect(canceled).toMatchObject({ type: 'order.canceled', payload });
    expect(closed).toMatchObject({ type: 'order.closed', payload: { finalStatus: 'CANCELED' } });
    expect(lastAudit(id)).toMatchObject({ action: 'ORDER_CANCELED', reason: 'changed my mind', after: { status: 'CLOSED' } });
  });

  it('closes an order without reserved funds; INVALID_STATE once it has an escrow', async () => {
    const { id } = await orders.anOrder();
    orders.simulated.replyNextWith(id, message.orderCancelRequested, (command) => [
      reply(message.balanceReservationFreed, { ...command, amount: '0.00', ...balances }),
    ]);
    await orders.do(id, 'cancel', orders.by({ id: 'key_7' }));
    expect(orders.eventsOf(id).at(-2)?.payload).toMatchObject({ canceledBy: 'key_7', fundsReleased: false });
    const { id: escrowed } = await orders.anOrderAfter(stepsUntil.escrowed);
    expect((await refusalOf(orders.do(escrowed, 'cancel')))[0]).toBe('INVALID_STATE');
  });
});
