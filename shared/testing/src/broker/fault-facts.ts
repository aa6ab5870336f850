import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '../eventually/index.js';
import { anEnvelope, envelopes, gate, idsOf, recorder, type Facts } from './broker-under-test.js';
import type { TestBroker } from './test-broker.js';

/** Publishes like the outbox: retries until every message is confirmed. */
async function publishWithRetry(broker: TestBroker, list: readonly Envelope[]): Promise<void> {
  await eventually(() => broker.publish(list));
}

export const faultFacts: Facts = {
  'waits for running handlers when it stops, and delivers the other messages later with zero attempts': async ({ open }) => {
    const broker = await open();
    const { opened, open: release } = gate();
    const first = recorder(() => opened);
    const subscription = await broker.consume('orders', { prefetch: 2 }, first.handler);
    const sent = envelopes(6);
    // One by one, because messages of one publish may share a batch, which is redelivered as a whole.
    for (const message of sent) await broker.publish([message]);
    await eventually(() => expect(first.deliveries.length).toBe(2));
    let isStopped = false;
    const stopping = subscription.stop().then(() => {
      isStopped = true;
    });
    await broker.publish([]);
    expect(isStopped).toBe(false);
    release();
    await stopping;
    expect(first.deliveries.length).toBe(2);
    const second = recorder();
    await broker.consume('orders', { prefetch: 10 }, second.handler);
    await eventually(() => expect([...first.ids(), ...second.ids()].sort()).toEqual(idsOf(sent)));
    expect(second.deliveries.every(({ attempts }) => attempts === 0)).toBe(true);
  },

  'delivers a message again with unchanged attempts if its handler fails while the consumer stops': async ({ open }) => {
    const broker = await open();
    const { opened, open: stop } = gate();
    const stopped = recorder(async () => {
      await opened;
      throw new Error('stopping');
    });
    const subscription = await broker.consume('orders', { prefetch: 2 }, stopped.handler);
    const envelope = anEnvelope();
    await broker.publish([envelope]);
    await eventually(() => expect(stopped.ids()).toEqual([envelope.id]));
    const stopping = subscription.stop();
    stop();
    await stopping;
    const next = recorder();
    await broker.consume('orders', { prefetch: 10 }, next.handler);
    await eventually(() => expect(next.deliveries).toEqual([{ envelope, attempts: 0 }]));
  },

  'redelivers the messages of a crashed process with unchanged attempts': async ({ open, crash }) => {
    const broker = await open({ drainTimeoutMs: 50 });
    const { opened, open: release } = gate();
    const crashed = recorder(() => opened);
    await broker.consume('orders', { prefetch: 10 }, crashed.handler);
    const envelope = anEnvelope();
    await broker.publish([envelope]);
    await eventually(() => expect(crashed.deliveries.length).toBe(1));
    const next = await crash(broker);
    const orders = recorder();
    await next.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(() => expect([...crashed.deliveries.slice(1), ...orders.deliveries]).toEqual([{ envelope, attempts: 0 }]));
    release();
  },

  'loses no message when the transport is interrupted, and recovers by itself': async ({ open, interrupt }) => {
    const broker = await open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 20 }, orders.handler);
    const before = envelopes(100);
    await broker.publish(before);
    const during = envelopes(100);
    const publishing = publishWithRetry(broker, during);
    await interrupt();
    await publishing;
    const after = envelopes(100);
    await publishWithRetry(broker, after);
    await eventually(() => expect(new Set(orders.ids())).toEqual(new Set(idsOf([...before, ...during, ...after]))), {
      timeoutMs: 20_000,
    });
    await eventually(() => expect(broker.isHealthy()).toBe(true));
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
  },

  'recovers when handlers resolve or throw after their transport was lost': async ({ open, interrupt }) => {
    const broker = await open();
    const { opened, open: release } = gate();
    const orders = recorder(async ({ envelope }, count) => {
      if (count <= 2) await opened;
      if (count <= 2 && envelope.aggregatePart === 'bad') throw new Error('not today');
    });
    await broker.consume('orders', { prefetch: 2 }, orders.handler);
    const [good, bad] = [anEnvelope(), anEnvelope({ aggregatePart: 'bad' })];
    await broker.publish([good, bad]);
    await eventually(() => expect(orders.deliveries.length).toBe(2));
    await interrupt();
    release();
    const after = anEnvelope();
    await publishWithRetry(broker, [after]);
    await eventually(() => expect(orders.ids()).toContain(after.id));
    await eventually(() => expect(orders.ids().filter((id) => id === bad.id).length).toBeGreaterThanOrEqual(2), {
      timeoutMs: 20_000,
    });
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
  },

  'stops consuming while the transport is interrupted': async ({ open, interrupt }) => {
    const broker = await open();
    const orders = recorder();
    const subscription = await broker.consume('orders', { prefetch: 2 }, orders.handler);
    const interruption = interrupt();
    await subscription.stop();
    await interruption;
    await publishWithRetry(broker, [anEnvelope()]);
    expect(orders.deliveries).toEqual([]);
  },
};
