import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, type MemoryOrders } from '../testing/memory-orders.js';
import { createOrder } from './create-order.js';
import type { CreateOrder } from './new-order.js';

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});

const create = (given: Partial<CreateOrder> = {}, ctx = orders.by()) =>
  createOrder(
    orders.deps,
    { buyerId: orders.aUser(), sellerId: orders.aUser(), amount: '100.00', currency: 'USD', ...given },
    ctx,
  );
const isEmpty = () => orders.ports.committed().orders.size === 0 && orders.ports.committed().outbox.size === 0;

describe('createOrder', () => {
  it('stores the order, returns it, and publishes order.created with its audit entry', async () => {
    const milestones = [
      { ref: 'draft', title: 'Draft', amount: '40.00' },
      { ref: 'final', title: 'Final', amount: '60' },
    ];
    const given = { title: 'Logo', description: 'Two parts', clientOrderRef: 'cart-1', milestones, currency: 'USDC' } as const;
    const order = await create({ ...given, metadata: { platformFee: '2.5' } });
    expect(order).toMatchObject({
      status: 'ORDER_CREATED',
      amount: '100.00',
      platformFee: 2.5,
      escrow: null,
      milestones: [
        { ref: 'draft', amount: '40.00', status: 'OPEN', completedAt: null },
        { ref: 'final', amount: '60.00', status: 'OPEN' },
      ],
    });
    expect(await orders.orderNow(order.id)).toEqual(order);
    const { id: orderId, buyerId, sellerId } = order;
    const { title, description, clientOrderRef, currency } = given;
    expect(orders.eventsOf(orderId)).toMatchObject([
      {
        type: 'order.created',
        aggregateVersion: 1,
        payload: { orderId, buyerId, sellerId, amount: '100.00', currency, title, description, clientOrderRef },
      },
    ]);
    expect(orders.auditsOf(orderId)).toMatchObject([{ action: 'ORDER_CREATED', before: null, actorId: 'key_1' }]);
  });

  it('has the fee of five per cent unless the metadata names one', async () => {
    expect((await create()).platformFee).toBe(5);
  });

  it('USER_NOT_FOUND for an unknown user, another kind of id, and a user of another marketplace', async () => {
    const elsewhere = orders.aUser({ marketplaceId: 'mkt_other' });
    for (const sellerId of ['usr_unknown', elsewhere])
      expect(await refusalOf(create({ sellerId }))).toEqual(['USER_NOT_FOUND', { userId: sellerId }]);
    expect(() => create({ buyerId: 'ord_1' })).toThrow(expect.objectContaining({ code: 'USER_NOT_FOUND' }) as Error);
    expect(isEmpty()).toBe(true);
  });

  it('VALIDATION_ERROR lists every user of the wrong type', async () => {
    const refused = create({ buyerId: orders.aUser({ type: 'SELLER' }), sellerId: orders.aUser({ type: 'BUYER' }) });
    const validationErrors = ['buyerId must be a user of type BUYER or BOTH', 'sellerId must be a user of type SELLER or BOTH'];
    expect(await refusalOf(refused)).toEqual(['VALIDATION_ERROR', { validationErrors }]);
  });

  it.each(['buyerId', 'sellerId'])('USER_NOT_ACTIVE for a suspended %s', async (party) => {
    const userId = orders.aUser({ status: 'SUSPENDED' });
    expect(await refusalOf(create({ [party]: userId }))).toEqual(['USER_NOT_ACTIVE', { userId }]);
    expect(isEmpty()).toBe(true);
  });

  it.each(['0.99', '60000.01'])('LIMIT_EXCEEDED for %s', async (amount) => {
    const limits = { amount, min: '1.00', max: '60000.00', currency: 'USD' };
    expect(await refusalOf(create({ amount }))).toEqual(['LIMIT_EXCEEDED', limits]);
  });

  it.each(['1.00', '60000.00'])('accepts the limit itself: %s', async (amount) => {
    expect((await create({ amount })).amount).toBe(amount);
  });

  it('checks in the specified order: users, their types, their state, the amount, the reference', async () => {
    const clientOrderRef = 'cart-2';
    const { id: orderId } = await create({ clientOrderRef });
    const amount = '0.99';
    const suspended = orders.aUser({ status: 'SUSPENDED', type: 'SELLER' });
    const wrong = { clientOrderRef, amount, buyerId: suspended };
    const codeOf = async (given: Partial<CreateOrder>) => (await refusalOf(create({ ...wrong, ...given })))[0];
    expect(await codeOf({ sellerId: 'usr_unknown' })).toBe('USER_NOT_FOUND');
    expect(await codeOf({})).toBe('VALIDATION_ERROR');
    expect(await codeOf({ buyerId: orders.aUser({ status: 'SUSPENDED' }) })).toBe('USER_NOT_ACTIVE');
    expect(await codeOf({ buyerId: orders.aUser() })).toBe('LIMIT_EXCEEDED');
    const taken = create({ clientOrderRef, buyerId: orders.aUser() });
    expect(await refusalOf(taken)).toEqual(['CLIENT_ORDER_REF_EXISTS', { orderId }]);
  });

  it('gives a client reference to one order of each marketplace', async () => {
    await create({ clientOrderRef: 'cart-3' });
    const [buyerId, sellerId] = [orders.aUser({ marketplaceId: 'mkt_other' }), orders.aUser({ marketplaceId: 'mkt_other' })];
    const elsewhere = orders.by({ marketplaceId: 'mkt_other' });
    expect(await create({ clientOrderRef: 'cart-3', buyerId, sellerId }, elsewhere)).toMatchObject({ clientOrderRef: 'cart-3' });
  });
});
