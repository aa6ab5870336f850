import * as message from '@holdfast/contracts/messages';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, stepsUntil, type MemoryOrders } from '../testing/memory-orders.js';

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

const steps = ['reserve', 'cancel', 'escrow', 'fund', 'release', 'refund', 'dispute'] as const;

describe('every step', () => {
  it.each(steps)('%s: ORDER_NOT_FOUND for an order of another marketplace, which stays as it is', async (step) => {
    const { id } = await orders.anOrder();
    const before = orders.ports.committed();
    const refused = orders.do(id, step, orders.by({ marketplaceId: 'mkt_other' }));
    expect(await refusalOf(refused)).toEqual(['ORDER_NOT_FOUND', { orderId: id }]);
    expect([orders.ports.committed().orders, orders.ports.committed().outbox]).toEqual([before.orders, before.outbox]);
  });

  it.each(steps)('%s: INVALID_STATE once the order is closed; nothing is published', async (step) => {
    const { id } = await orders.anOrderAfter(['cancel']);
    const before = orders.ports.committed();
    expect(await refusalOf(orders.do(id, step))).toMatchObject(['INVALID_STATE', { currentStatus: 'CLOSED' }]);
    expect([orders.ports.committed().orders, orders.ports.committed().outbox]).toEqual([before.orders, before.outbox]);
  });

  it.each(['escrow', 'fund', 'release', 'refund'] as const)(
    '%s: PLATFORM_STOPPED while the platform is stopped',
    async (step) => {
      const until = step === 'escrow' ? stepsUntil.reserved : step === 'fund' ? stepsUntil.escrowed : stepsUntil.inProgress;
      const { id } = await orders.anOrderAfter(until);
      const stop = async (isStopped: boolean) => {
        const about = {
          aggregateId: 'platform',
          aggregateVersion: 1,
          marketplaceId: 'mkt_default',
          correlationId: 'req-1',
        } as const;
        const { type, version, aggregateType } = message.emergencyStopChanged;
        const envelope = { ...about, id: orders.deps.newId('evt'), type, version, aggregateType, occurredAt: orders.clock.now() };
        await orders.deps.handleStopChanged({ ...envelope, payload: { isStopped } }, orders.by());
      };
      await stop(true);
      const before = await orders.orderNow(id);
      expect((await refusalOf(orders.do(id, step)))[0]).toBe('PLATFORM_STOPPED');
      expect(await orders.orderNow(id)).toEqual(before);
      await stop(false);
      await orders.do(id, step);
    },
  );

  it('SERVICE_UNAVAILABLE once the process stops, before anything is written', async () => {
    const { id } = await orders.anOrder();
    orders.ports.runs.stopAccepting();
    expect((await refusalOf(orders.do(id, 'reserve')))[0]).toBe('SERVICE_UNAVAILABLE');
    expect(orders.lastOf(id, message.orderReserveRequested)).toBeUndefined();
  });

  it('PROVIDER_TIMEOUT with the status of the order while its saga continues', async () => {
    orders = memoryOrders({ timeoutMs: 1 });
    const { id } = await orders.anOrder();
    orders.simulated.replyNextWith(id, message.orderReserveRequested, () => []);
    expect(await refusalOf(orders.do(id, 'reserve'))).toEqual(['PROVIDER_TIMEOUT', { orderStatus: 'ORDER_CREATED' }]);
    expect(orders.lastOf(id, message.orderReserveRequested)).toBeDefined();
  });
});

describe.each(['buyerId', 'sellerId'] as const)('a suspended %s', (party) => {
  const suspend = (userId: string) => {
    const { users } = orders.ports.committed();
    const user = users.get(userId);
    if (user !== undefined) users.set(userId, { ...user, status: 'SUSPENDED' });
  };

  it.each([
    ['reserve', []],
    ['fund', stepsUntil.escrowed],
  ] as const)('USER_NOT_ACTIVE for %s, after the state was checked', async (step, until) => {
    const userId = orders.aUser();
    const { id } = await orders.anOrderAfter(until, { [party]: userId });
    suspend(userId);
    const before = await orders.orderNow(id);
    expect(await refusalOf(orders.do(id, step))).toEqual(['USER_NOT_ACTIVE', { userId }]);
    expect((await refusalOf(orders.do(id, step === 'fund' ? 'reserve' : 'fund')))[0]).toBe('INVALID_STATE');
    expect(await orders.orderNow(id)).toEqual(before);
  });

  it('INTERNAL_ERROR with the reason for escrow, as specified; no command is published', async () => {
    const userId = orders.aUser();
    const { id } = await orders.anOrderAfter(stepsUntil.reserved, { [party]: userId });
    suspend(userId);
    expect(await refusalOf(orders.do(id, 'escrow'))).toEqual(['INTERNAL_ERROR', { reason: 'USER_NOT_ACTIVE', userId }]);
    expect(orders.lastOf(id, message.escrowDeployRequested)).toBeUndefined();
  });
});
