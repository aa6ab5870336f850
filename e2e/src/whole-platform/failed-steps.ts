import { expectPaidOnce } from '../faults/agreement.js';
import { anOrder, bringTo, call, type Order } from '../faults/order-life.js';
import { sandboxControl, type SandboxControl } from '../faults/sandbox-control.js';
import type { WholePlatform } from './platform.js';

/** What a marketplace can do after a step of an order has failed. The faults meet every order of the platform. */
export function describeFailedSteps(platform: () => WholePlatform): void {
  describeUnderfunded(platform);
  describeFailedRefund(platform);
}

const orderNow = async ({ api }: WholePlatform, { id }: Order) => (await api.get(`/orders/${id}`)).data;

function describeUnderfunded(platform: () => WholePlatform): void {
  describe('an order whose hold was deducted in part', () => {
    async function anUnderfundedOrder(): Promise<Order> {
      const { api } = platform();
      const order = await anOrder(api);
      await bringTo(api, order, 'fund');
      const deduction = { amount: '30.00', orderId: order.id };
      expect((await api.post(`/users/${order.buyerId}/balance/deduct-reserved`, deduction)).status).toBe(200);
      const refused = await call(api, order, 'fund');
      expect([refused.status, refused.code]).toEqual([422, 'RESERVE_NOT_FOUND']);
      expect(refused.details).toMatchObject({ requested: '100.00', reserved: '70.00', currency: 'USD' });
      expect(await orderNow(platform(), order)).toMatchObject({ status: 'FUNDS_RESERVED', escrow: { status: 'CREATED' } });
      expect(await call(api, order, 'reserve')).toMatchObject({ status: 400, code: 'INVALID_STATE' });
      return order;
    }

    it('can be topped up over the balance routes, funded and released', async () => {
      const { api } = platform();
      const order = await anUnderfundedOrder();
      await api.post(`/users/${order.buyerId}/balance/credit`, { amount: '30.00' });
      const rest = { amount: '30.00', orderId: order.id };
      expect((await api.post(`/users/${order.buyerId}/balance/reserve`, rest)).status).toBe(200);
      expect(await call(api, order, 'fund')).toMatchObject({ status: 201, data: { status: 'IN_PROGRESS' } });
      expect(await call(api, order, 'release')).toMatchObject({ status: 200, data: { status: 'CLOSED' } });
      await expectPaidOnce(api, order, 'release');
    });

    it('can be canceled, and what is left of the hold is available again', async () => {
      const { api } = platform();
      const order = await anUnderfundedOrder();
      expect(await call(api, order, 'cancel')).toMatchObject({
        status: 201,
        data: { status: 'CLOSED', closeReason: 'CANCELED', escrow: { status: 'CREATED' } },
      });
      expect((await api.get(`/users/${order.buyerId}/balance`)).data).toMatchObject({ available: '70.00', reserved: '0.00' });
    });
  });
}

function describeFailedRefund(platform: () => WholePlatform): void {
  describe('a refund that fails after its dispute transaction has landed', () => {
    let sandbox: SandboxControl;
    beforeAll(() => {
      sandbox = sandboxControl(platform().sandboxUrl);
    });
    afterEach(() => sandbox.clear());

    it.each(['release', 'refund'] as const)('shows the escrow as DISPUTED, and a %s pays once', async (ending) => {
      const { api } = platform();
      const order = await anOrder(api);
      await bringTo(api, order, 'refund');
      await sandbox.arm({ target: 'escrow-provider', operation: 'resolve', kind: 'wrong-function' });
      expect(await call(api, order, 'refund')).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
      expect(await orderNow(platform(), order)).toMatchObject({
        status: 'IN_PROGRESS',
        dispute: null,
        escrow: { status: 'DISPUTED' },
      });
      await sandbox.clear();
      const ends = { release: 'RELEASED', refund: 'REFUNDED' }[ending];
      expect(await call(api, order, ending)).toMatchObject({
        status: 200,
        data: { status: 'CLOSED', closeReason: ends, escrow: { status: ends } },
      });
      await expectPaidOnce(api, order, ending);
    });
  });
}
