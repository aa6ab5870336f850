import { PublishFailed } from '@holdfast/messaging/broker';
import { eventually } from '../eventually/index.js';
import { anEnvelope, envelopes, gate, idsOf, recorder, type Facts } from './broker-under-test.js';
import type { TestBroker } from './test-broker.js';

const many = 5_000;
const manyTimeoutMs = 60_000;
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

async function publishInChunks(broker: TestBroker, list: ReturnType<typeof envelopes>): Promise<void> {
  const chunk = 250;
  const chunks = Array.from({ length: Math.ceil(list.length / chunk) }, (_, index) =>
    list.slice(index * chunk, (index + 1) * chunk),
  );
  await Promise.all(chunks.map((part) => broker.publish(part)));
}

export const deliveryFacts: Facts = {
  'delivers a message to every queue of its type, and to no other': async ({ open }) => {
    const broker = await open();
    const [orders, payments] = [recorder(), recorder()];
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.consume('payments', { prefetch: 10 }, payments.handler);
    const both = anEnvelope({ type: 'a.happened' });
    const optional = { aggregatePart: 'USD', causationId: both.id, saga: 'fund', sagaRunId: 'run_1', traceparent } as const;
    const one = anEnvelope({ type: 'b.happened', ...optional });
    await broker.publish([both, one]);
    await eventually(() => expect(orders.ids()).toEqual(idsOf([both, one])));
    await eventually(() => expect(payments.ids()).toEqual([both.id]));
    expect(orders.deliveries.find(({ envelope }) => envelope.id === one.id)).toEqual({ envelope: one, attempts: 0 });
  },

  'resolves at once for a type without a consumer': async ({ open }) => {
    const broker = await open();
    await broker.publish([anEnvelope({ type: 'c.happened' })]);
    await broker.publish([]);
  },

  'stores messages until a consumer starts': async ({ open }) => {
    const broker = await open();
    const sent = envelopes(20);
    await broker.publish(sent);
    const orders = recorder();
    await broker.consume('orders', { prefetch: 5 }, orders.handler);
    await eventually(() => expect(orders.ids()).toEqual(idsOf(sent)));
  },

  'has stored messages durably when publish resolves': async ({ open, crash, interrupt }) => {
    const broker = await open();
    const sent = envelopes(20);
    await broker.publish(sent);
    const next = await crash(broker);
    await interrupt();
    const orders = recorder();
    await next.consume('orders', { prefetch: 5 }, orders.handler);
    await eventually(() => expect([...new Set(orders.ids())]).toEqual(idsOf(sent)));
  },

  'runs at most prefetch handlers concurrently': async ({ open }) => {
    const broker = await open();
    const { opened, open: release } = gate();
    let [running, most] = [0, 0];
    const orders = recorder(async () => {
      running += 1;
      most = Math.max(most, running);
      await opened;
      running -= 1;
    });
    await broker.consume('orders', { prefetch: 4 }, orders.handler);
    const sent = envelopes(12);
    await broker.publish(sent);
    await eventually(() => expect(running).toBe(4));
    release();
    await eventually(() => expect(orders.ids()).toEqual(idsOf(sent)));
    expect(most).toBe(4);
  },

  'distributes the messages of a queue over its consumers': async ({ open }) => {
    const broker = await open();
    const { opened, open: release } = gate();
    const [first, second] = [recorder(() => opened), recorder(() => opened)];
    await broker.consume('orders', { prefetch: 2 }, first.handler);
    await broker.consume('orders', { prefetch: 2 }, second.handler);
    const sent = envelopes(4);
    // One by one, because messages of one publish may share a batch.
    for (const message of sent) await broker.publish([message]);
    await eventually(() => expect([first.ids().length, second.ids().length]).toEqual([2, 2]));
    release();
    expect([...first.ids(), ...second.ids()].sort()).toEqual(idsOf(sent));
  },

  'delivers many messages without losing or duplicating one': async ({ open }) => {
    const broker = await open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 200 }, orders.handler);
    const sent = envelopes(many, { type: 'b.happened' });
    await publishInChunks(broker, sent);
    await eventually(() => expect(orders.deliveries.length).toBeGreaterThanOrEqual(many), { timeoutMs: manyTimeoutMs });
    expect(orders.ids()).toEqual(idsOf(sent));
  },

  'throws for a queue that is not in the topology': async ({ open }) => {
    const broker = await open();
    const consuming = broker.consume('unknown', { prefetch: 1 }, () => Promise.resolve());
    await expect(consuming).rejects.toThrow('There is no queue "unknown"');
    await expect(broker.redeliver('unknown', [])).rejects.toThrow('There is no queue "unknown"');
  },

  'rejects with the id of a message that is too large, and publishes the others of the call': async ({ open }) => {
    const broker = await open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const huge = anEnvelope({ payload: 'x'.repeat(300_000) });
    const good = anEnvelope();
    const failure: unknown = await broker.publish([huge, good]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PublishFailed);
    expect(failure).toMatchObject({ messageIds: [huge.id] });
    await eventually(() => expect(orders.ids()).toEqual([good.id]));
  },

  'rejects publish and consume after close, and can be closed twice': async ({ open }) => {
    const broker = await open();
    await broker.close();
    await broker.close();
    const envelope = anEnvelope();
    await expect(broker.publish([envelope])).rejects.toMatchObject({ name: 'PublishFailed', messageIds: [envelope.id] });
    await expect(broker.consume('orders', { prefetch: 1 }, () => Promise.resolve())).rejects.toThrow('closed');
    expect(broker.isHealthy()).toBe(false);
  },

  'calls the listeners of its own process synchronously on a broadcast, until they unsubscribe': async ({ open }) => {
    const broker = await open();
    const received: string[] = [];
    const stop = broker.onNotification(['saga'], ({ topic, key }) => received.push(`${topic} ${key}`));
    broker.onNotification(['saga'], () => {
      throw new Error('a listener that fails');
    });
    const receivedByLast: string[] = [];
    broker.onNotification(['saga', 'other'], ({ key }) => receivedByLast.push(key));
    broker.broadcast({ topic: 'saga', key: 'run_1' });
    expect(received).toEqual(['saga run_1']);
    stop();
    broker.broadcast({ topic: 'saga', key: 'run_2' });
    broker.broadcast({ topic: 'no listener', key: 'run_3' });
    expect(received).toEqual(['saga run_1']);
    expect(receivedByLast).toEqual(['run_1', 'run_2']);
  },

  'has its own reply queue, through which it notifies itself synchronously': async ({ open }) => {
    const [one, other] = [await open(), await open()];
    const queue = one.replyQueue() ?? '';
    expect(queue).not.toBe('');
    expect(other.replyQueue()).not.toBe(queue);
    const received: string[] = [];
    one.onNotification(['saga'], ({ key }) => received.push(key));
    one.notify(queue, { topic: 'saga', key: 'run_1' });
    one.notify(queue, { topic: 'no listener', key: 'run_2' });
    expect(received).toEqual(['run_1']);
  },

  'ignores a notification to a reply queue that does not exist any more': async ({ open }) => {
    const [one, other] = [await open(), await open()];
    const queue = other.replyQueue() ?? '';
    await other.close();
    one.notify(queue, { topic: 'saga', key: 'run_1' });
    await one.publish([anEnvelope()]);
    expect(one.isHealthy()).toBe(true);
  },
};
