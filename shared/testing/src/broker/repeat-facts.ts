import { NonRetryableError, type Publishing } from '@holdfast/messaging/broker';
import { eventually } from '../eventually/index.js';
import { anEnvelope, envelopes, gate, idsOf, recorder, type Facts } from './broker-under-test.js';

const first: Publishing = { isRepeated: false };
const again: Publishing = { isRepeated: true };

/** Which deliveries delete a parked message. */
export const repeatFacts: Facts = {
  'does not look for a parked message after the first delivery of a new one': async ({ open }) => {
    const broker = await open();
    const orders = recorder();
    // One handler at a time: the second one starts when the driver has finished the first message.
    await broker.consume('orders', { prefetch: 1 }, orders.handler);
    const sent = envelopes(2, { type: 'b.happened' });
    for (const envelope of sent) await broker.park('orders', envelope);
    for (const envelope of sent) await broker.publish([envelope], first);
    await eventually(() => expect(orders.ids()).toEqual(idsOf(sent)));
    expect(await broker.listParked('orders', 10)).toHaveLength(2);
    await broker.redriveParked('orders');
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
  },

  'does not look for parked messages after the first delivery of a new batch': async ({ open }) => {
    const broker = await open();
    const orders = recorder();
    const sent = envelopes(5, { type: 'b.happened' });
    const [parked] = sent;
    if (parked !== undefined) await broker.park('orders', parked);
    await broker.publish(sent, first);
    await broker.consume('orders', { prefetch: 1 }, orders.handler);
    await eventually(() => expect(orders.ids()).toEqual(idsOf(sent)));
    expect(await broker.listParked('orders', 10)).toMatchObject([{ messageId: parked?.id }]);
  },

  'deletes a parked message that was published again, fails once more and is handled': async ({ open }) => {
    const broker = await open();
    const orders = recorder((_, count) => {
      if (count === 1) throw new NonRetryableError('bad');
      if (count === 2) throw new Error('not today');
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope], first);
    await eventually(async () => expect(await broker.listParked('orders', 10)).toHaveLength(1));
    await broker.publish([envelope], again);
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
    expect(orders.deliveries.map(({ attempts }) => attempts)).toEqual([0, 0, 1]);
  },

  'deletes a message that was published again while it waited in the queue': async ({ open }) => {
    const broker = await open();
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.park('orders', envelope);
    await broker.publish([envelope], first);
    await broker.publish([envelope], again);
    await broker.consume('orders', { prefetch: 10 }, recorder().handler);
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
  },

  'deletes a message that a process has parked before it crashed': async ({ open, crash }) => {
    const broker = await open({ drainTimeoutMs: 50 });
    const { opened, open: release } = gate();
    const crashed = recorder(async ({ envelope }) => {
      await broker.park('orders', envelope);
      await opened;
    });
    await broker.consume('orders', { prefetch: 10 }, crashed.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope], first);
    await eventually(async () => expect(await broker.listParked('orders', 10)).toHaveLength(1));
    const next = await crash(broker);
    const orders = recorder();
    await next.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(async () => expect(await next.listParked('orders', 10)).toEqual([]));
    expect(orders.ids()).toEqual([envelope.id]);
    release();
  },
};
