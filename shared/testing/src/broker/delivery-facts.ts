import { PublishFailed, type Broker } from '@holdfast/messaging/broker';
import { eventually } from '../eventually/index.js';
import { anEnvelope, envelopes, gate, idsOf, recorder, type Facts } from './broker-under-test.js';

const many = 5_000;
const manyTimeoutMs = 25_000;

async function publishInChunks(broker: Broker, list: ReturnType<typeof envelopes>): Promise<void> {
  const chunk = 250;
  const chunks = Array.from({ length: Math.ceil(list.length / chunk) }, (_, index) =>
    list.slice(index * chunk, (index + 1) * chunk),
  );
  await Promise.all(chunks.map((part) => broker.publish(part)));
}

export const deliveryFacts: Facts = {
  'hands a message to every queue bound to its type, and to no other': async ({ open }) => {
    const broker = await open();
    const [orders, payments] = [recorder(), recorder()];
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.consume('payments', { prefetch: 10 }, payments.handler);
    const both = anEnvelope({ type: 'a.happened' });
    const one = anEnvelope({ type: 'b.happened', aggregatePart: 'USD', causationId: both.id, saga: 'fund', sagaRunId: 'run_1' });
    await broker.publish([both, one]);
    await eventually(() => expect(orders.ids()).toEqual(idsOf([both, one])));
    await eventually(() => expect(payments.ids()).toEqual([both.id]));
    expect(orders.deliveries.find(({ envelope }) => envelope.id === one.id)).toEqual({ envelope: one, attempts: 0 });
  },

  'is done at once with what nobody listens to': async ({ open }) => {
    const broker = await open();
    await broker.publish([anEnvelope({ type: 'c.happened' })]);
    await broker.publish([]);
  },

  'keeps messages for a consumer that comes later': async ({ open }) => {
    const broker = await open();
    const sent = envelopes(20);
    await broker.publish(sent);
    const orders = recorder();
    await broker.consume('orders', { prefetch: 5 }, orders.handler);
    await eventually(() => expect(orders.ids()).toEqual(idsOf(sent)));
  },

  'has made durable what it has resolved': async ({ open, crash, interrupt }) => {
    const broker = await open();
    const sent = envelopes(20);
    await broker.publish(sent);
    const next = await crash(broker);
    await interrupt();
    const orders = recorder();
    await next.consume('orders', { prefetch: 5 }, orders.handler);
    await eventually(() => expect([...new Set(orders.ids())]).toEqual(idsOf(sent)));
  },

  'runs as many handlers at once as the prefetch says, and not one more': async ({ open }) => {
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

  'shares the messages of a queue between its consumers': async ({ open }) => {
    const broker = await open();
    const { opened, open: release } = gate();
    const [first, second] = [recorder(() => opened), recorder(() => opened)];
    await broker.consume('orders', { prefetch: 2 }, first.handler);
    await broker.consume('orders', { prefetch: 2 }, second.handler);
    const sent = envelopes(4);
    // One by one: what is published together may travel together.
    for (const message of sent) await broker.publish([message]);
    await eventually(() => expect([first.ids().length, second.ids().length]).toEqual([2, 2]));
    release();
    expect([...first.ids(), ...second.ids()].sort()).toEqual(idsOf(sent));
  },

  'carries many messages without losing or repeating one': async ({ open }) => {
    const broker = await open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 200 }, orders.handler);
    const sent = envelopes(many, { type: 'b.happened' });
    await publishInChunks(broker, sent);
    await eventually(() => expect(orders.deliveries.length).toBeGreaterThanOrEqual(many), { timeoutMs: manyTimeoutMs });
    expect(orders.ids()).toEqual(idsOf(sent));
  },

  'refuses a queue that does not exist': async ({ open }) => {
    const broker = await open();
    await expect(broker.consume('nobody', { prefetch: 1 }, () => Promise.resolve())).rejects.toThrow(
      'There is no queue "nobody"',
    );
    await expect(broker.listParked('nobody', 1)).rejects.toThrow('There is no queue "nobody"');
    await expect(broker.redriveParked('nobody')).rejects.toThrow('There is no queue "nobody"');
  },

  'sends the good ones of a call whose other message is too large, and names that one': async ({ open }) => {
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

  'takes nothing after it was closed, and can be closed twice': async ({ open }) => {
    const broker = await open();
    await broker.close();
    await broker.close();
    const envelope = anEnvelope();
    await expect(broker.publish([envelope])).rejects.toMatchObject({ name: 'PublishFailed', messageIds: [envelope.id] });
    await expect(broker.consume('orders', { prefetch: 1 }, () => Promise.resolve())).rejects.toThrow('closed');
    expect(broker.isHealthy()).toBe(false);
  },

  'broadcasts to the listeners of its own process at once, to each once, until they stop': async ({ open }) => {
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
    broker.broadcast({ topic: 'nobody listens', key: 'run_3' });
    expect(received).toEqual(['saga run_1']);
    expect(receivedByLast).toEqual(['run_1', 'run_2']);
  },

  'has a reply queue of its own, and notifies itself through it at once': async ({ open }) => {
    const [one, other] = [await open(), await open()];
    const queue = one.replyQueue() ?? '';
    expect(queue).not.toBe('');
    expect(other.replyQueue()).not.toBe(queue);
    const received: string[] = [];
    one.onNotification(['saga'], ({ key }) => received.push(key));
    one.notify(queue, { topic: 'saga', key: 'run_1' });
    one.notify(queue, { topic: 'nobody listens', key: 'run_2' });
    expect(received).toEqual(['run_1']);
  },

  'goes on when a reply queue is gone': async ({ open }) => {
    const [one, other] = [await open(), await open()];
    const queue = other.replyQueue() ?? '';
    await other.close();
    one.notify(queue, { topic: 'saga', key: 'run_1' });
    await one.publish([anEnvelope()]);
    expect(one.isHealthy()).toBe(true);
  },
};
