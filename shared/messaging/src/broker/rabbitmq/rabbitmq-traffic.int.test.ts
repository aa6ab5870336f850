import { envelopes, gate, idsOf, openParkedTables, recorder, type ParkedTables, type TestBroker } from '@holdfast/testing/broker';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { openTestNamespace, type TestNamespace } from './testing/test-namespace.js';

let parked: ParkedTables;
beforeAll(async () => {
  parked = await openParkedTables();
}, serverStartTimeoutMs);
afterAll(() => parked.drop());

let namespace: TestNamespace;
beforeEach(async () => {
  namespace = await openTestNamespace(parked);
}, serverStartTimeoutMs);
afterEach(() => namespace.close());

describe('batching on RabbitMQ', () => {
  it('sends concurrent publishes to one queue as one AMQP message', async () => {
    const broker = await namespace.open();
    const sent = envelopes(5, { type: 'b.happened' });
    await Promise.all(sent.map((envelope) => broker.publish([envelope])));
    expect(await namespace.channel.checkQueue(namespace.names.queue('orders'))).toMatchObject({ messageCount: 1 });
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(() => expect(orders.ids()).toEqual(idsOf(sent)));
  });

  it('publishes everything that was submitted before it closes', async () => {
    const broker = await namespace.open();
    const publishing = Array.from({ length: 20 }, () => broker.publish(envelopes(1)));
    await broker.close();
    await Promise.all(publishing);
    const next = await namespace.open();
    const orders = recorder();
    await next.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(() => expect(orders.deliveries.length).toBe(20));
  });

  it('sends pending acknowledgements when the subscription stops', async () => {
    const broker = await namespace.open();
    const orders = recorder();
    const subscription = await broker.consume('orders', { prefetch: 100 }, orders.handler);
    for (const envelope of envelopes(10, { type: 'b.happened' })) await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries.length).toBe(10));
    await subscription.stop();
    expect(await namespace.channel.checkQueue(namespace.names.queue('orders'))).toMatchObject({ messageCount: 0 });
  });

  it('does not acknowledge a message that is still being handled when later ones are done', async () => {
    const broker = await namespace.open();
    const { opened: mayEnd, open: end } = gate();
    const [slow, ...quick] = envelopes(20, { type: 'b.happened' });
    const orders = recorder(({ envelope }) => (envelope.id === slow?.id ? mayEnd : undefined));
    // A small prefetch makes small batches of acknowledgements.
    await broker.consume('orders', { prefetch: 8 }, orders.handler);
    for (const envelope of [slow, ...quick]) if (envelope !== undefined) await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries.length).toBe(20));
    namespace.proxy.cut();
    namespace.proxy.mend();
    await eventually(() => expect(orders.ids().filter((id) => id === slow?.id)).toHaveLength(2));
    expect(orders.deliveries.length).toBeLessThan(30);
    end();
  });
});

describe('notifications on RabbitMQ', () => {
  function keysOf(broker: TestBroker, topic: string): readonly string[] {
    const keys: string[] = [];
    broker.onNotification([topic], ({ key }) => keys.push(key));
    return keys;
  }

  it('reach every process once, including the sender', async () => {
    const [one, other, third] = [await namespace.open(), await namespace.open(), await namespace.open()];
    const received = [one, other, third].map((broker) => keysOf(broker, 'saga'));
    one.broadcast({ topic: 'saga', key: 'run_1' });
    one.broadcast({ topic: 'else', key: 'run_2' });
    one.broadcast({ topic: 'saga', key: 'run_3' });
    await eventually(() =>
      expect(received.slice(1)).toEqual([
        ['run_1', 'run_3'],
        ['run_1', 'run_3'],
      ]),
    );
    other.broadcast({ topic: 'saga', key: 'run_4' });
    await eventually(() => expect(received[0]).toEqual(['run_1', 'run_3', 'run_4']));
  });

  it('reach only the process that owns the reply queue', async () => {
    const [one, other, third] = [await namespace.open(), await namespace.open(), await namespace.open()];
    const [received, receivedByThird] = [keysOf(other, 'saga'), keysOf(third, 'saga')];
    one.notify(other.replyQueue() ?? '', { topic: 'saga', key: 'run_1' });
    one.broadcast({ topic: 'saga', key: 'run_2' });
    await eventually(() => expect(receivedByThird).toEqual(['run_2']));
    await eventually(() => expect(received).toEqual(['run_1', 'run_2']));
  });

  it('have no reply queue while disconnected and a new one after the reconnect', async () => {
    const [one, other] = [await namespace.open(), await namespace.open({ url: namespace.serverUrl })];
    const received = keysOf(one, 'saga');
    const before = one.replyQueue() ?? '';
    namespace.proxy.cut();
    await eventually(() => expect(one.replyQueue()).toBeUndefined());
    namespace.proxy.mend();
    const after = await eventually(() => {
      expect(one.isHealthy()).toBe(true);
      return one.replyQueue() ?? '';
    });
    expect(after).not.toBe(before);
    other.notify(before, { topic: 'saga', key: 'run_1' });
    other.notify(after, { topic: 'saga', key: 'run_2' });
    other.broadcast({ topic: 'saga', key: 'run_3' });
    await eventually(() => expect(received).toEqual(['run_2', 'run_3']));
  });

  it('are ignored when their body is invalid', async () => {
    const broker = await namespace.open();
    const received = keysOf(broker, 'saga');
    const queue = broker.replyQueue() ?? '';
    for (const body of ['no JSON', '{"topic":7}', '{"topic":"saga","key":"run_1"}'])
      namespace.channel.sendToQueue(queue, Buffer.from(body));
    await eventually(() => expect(received).toEqual(['run_1']));
    expect(broker.isHealthy()).toBe(true);
  });
});
