import type { Broker } from '@holdfast/messaging/broker';
import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '../eventually/index.js';
import { anEnvelope, envelopes, gate, idsOf, recorder, type Facts } from './broker-under-test.js';

/** Publishes as the outbox does: what is in doubt is published again. */
async function publishSurely(broker: Broker, list: readonly Envelope[]): Promise<void> {
  await eventually(() => broker.publish(list), { timeoutMs: 20_000 });
}

export const faultFacts: Facts = {
  'stops after the handlers that run, and delivers the others again later, as if they had never been tried': async ({ open }) => {
    const broker = await open();
    const { opened, open: release } = gate();
    const first = recorder(() => opened);
    const subscription = await broker.consume('orders', { prefetch: 2 }, first.handler);
    const sent = envelopes(6);
    // One by one: what is published together may travel together, and then comes again together.
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

  'delivers again what a dying process had begun, with the attempts unchanged': async ({ open, crash }) => {
    const broker = await open({ drainTimeoutMs: 50 });
    const { opened, open: release } = gate();
    const dying = recorder(() => opened);
    await broker.consume('orders', { prefetch: 10 }, dying.handler);
    const envelope = anEnvelope();
    await broker.publish([envelope]);
    await eventually(() => expect(dying.deliveries.length).toBe(1));
    const next = await crash(broker);
    const orders = recorder();
    await next.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(() => expect([...dying.deliveries.slice(1), ...orders.deliveries]).toEqual([{ envelope, attempts: 0 }]));
    release();
  },

  'loses nothing when the transport goes away and comes back, and works again without help': async ({ open, interrupt }) => {
    const broker = await open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 20 }, orders.handler);
    const before = envelopes(100);
    await broker.publish(before);
    const during = envelopes(100);
    const publishing = publishSurely(broker, during);
    await interrupt();
    await publishing;
    const after = envelopes(100);
    await publishSurely(broker, after);
    await eventually(() => expect(new Set(orders.ids())).toEqual(new Set(idsOf([...before, ...during, ...after]))), {
      timeoutMs: 20_000,
    });
    await eventually(() => expect(broker.isHealthy()).toBe(true));
    expect(await broker.listParked('orders', 10)).toEqual([]);
  },

  'survives handlers that end, well or badly, after their transport has gone': async ({ open, interrupt }) => {
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
    await publishSurely(broker, [after]);
    await eventually(() => expect(orders.ids()).toContain(after.id), { timeoutMs: 20_000 });
    await eventually(() => expect(orders.ids().filter((id) => id === bad.id).length).toBeGreaterThanOrEqual(2), {
      timeoutMs: 20_000,
    });
    expect(await broker.listParked('orders', 10)).toEqual([]);
  },

  'stops consuming although the transport is away': async ({ open, interrupt }) => {
    const broker = await open();
    const orders = recorder();
    const subscription = await broker.consume('orders', { prefetch: 2 }, orders.handler);
    const interruption = interrupt();
    await subscription.stop();
    await interruption;
    await publishSurely(broker, [anEnvelope()]);
    expect(orders.deliveries).toEqual([]);
  },
};
