import * as message from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startOrders } from '../testing/running-orders.js';

describe('a stopping process', () => {
  it('504 PROVIDER_TIMEOUT with the order status for a request whose saga continues', async () => {
    // A waiting request may wait on for two fifths of the time that the process has to stop.
    const orders = await startOrders({}, { stopTimeoutMs: 8_000 });
    const { id } = await orders.anOrderAfter(['reserve']);
    orders.simulated.replyNextWith(id, message.escrowDeployRequested, () => []);
    const waiting = orders.do(id, 'escrow');
    await eventually(async () => expect((await orders.orderNow(id)).status).toBe('ESCROW_CREATING'));

    const stopped = orders.stop();

    const { status, code, details } = await waiting;
    expect([status, code, details['orderStatus']]).toEqual([504, 'PROVIDER_TIMEOUT', 'ESCROW_CREATING']);
    await stopped;
  });
});
