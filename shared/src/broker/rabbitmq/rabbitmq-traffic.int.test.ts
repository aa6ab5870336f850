import { envelopes, gate, idsOf, recorder } from '../../testing/broker/index.js';
import { eventually } from '../../testing/eventually/index.js';
import { serverStartTimeoutMs } from '../../testing/servers/index.js';
import type { Broker } from '../broker.js';
import { openTestCorner, type TestCorner } from './testing/test-corner.js';

let corner: TestCorner;
beforeEach(async () => {
  corner = await openTestCorner();
}, serverStartTimeoutMs);
afterEach(() => corner.close());

/** Resolves when each of the two hears the hints of the other. */
async function meet(one: Broker, other: Broker, topic: string): Promise<void> {
  const heard = { one: 0, other: 0 };
  const stop = [
    one.onBroadcast([topic], ({ key }) => void (heard.one += key === 'by other' ? 1 : 0)),
    other.onBroadcast([topic], ({ key }) => void (heard.other += key === 'by one' ? 1 : 0)),
  ];
  await eventually(() => {
    one.broadcast({ topic, key: 'by one' });
    other.broadcast({ topic, key: 'by other' });
    expect(Math.min(heard.one, heard.other)).toBeGreaterThan(1);
  });
  for (const end of stop) end();
}

async function countOf(queue: string): Promise<number> {
  return (await corner.channel.checkQueue(corner.names.queue(queue))).messageCount;
}

describe('what travels together on RabbitMQ', () => {
  it('sends what several calls publish to one queue at the same time in one message', async () => {
    const broker = await corner.open();
    const sent = envelopes(5, { type: 'b.happened' });
    await Promise.all(sent.map((envelope) => broker.publish([envelope])));
    expect(await corner.channel.checkQueue(corner.names.queue('orders'))).toMatchObject({ messageCount: 1 });
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(() => expect(orders.ids()).toEqual(idsOf(sent)));
  });

  it('keeps sends apart where nobody waits for what a queue is told', async () => {
    const types = ['a.happened'];
    const topology = {
      queues: [
        { name: 'orders', types },
        { name: 'payments', types, spacingMs: 1_000 },
      ],
    };
    const broker = await corner.open({ topology });
    await broker.publish(envelopes(1));
    const publishing = [broker.publish(envelopes(1))];
    await eventually(async () => expect(await countOf('orders')).toBe(2));
    publishing.push(broker.publish(envelopes(1)));
    await Promise.all(publishing);
    expect([await countOf('orders'), await countOf('payments')]).toEqual([3, 2]);
  });

  it('keeps nothing back when it is closed', async () => {
    const topology = { queues: [{ name: 'payments', types: ['a.happened'], spacingMs: 60_000 }] };
    const broker = await corner.open({ topology });
    await broker.publish(envelopes(1));
    const publishing = broker.publish(envelopes(1));
    await broker.close();
    await publishing;
    expect(await countOf('payments')).toBe(2);
  });

  it('acknowledges what was handled before it stops, together', async () => {
    const broker = await corner.open();
    const orders = recorder();
    const subscription = await broker.consume('orders', { prefetch: 100 }, orders.handler);
    for (const envelope of envelopes(10, { type: 'b.happened' })) await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries.length).toBe(10));
    await subscription.stop();
    expect(await corner.channel.checkQueue(corner.names.queue('orders'))).toMatchObject({ messageCount: 0 });
  });

  it('acknowledges nothing that is still being handled, whatever came after it is done', async () => {
    const broker = await corner.open();
    const { opened: mayEnd, open: end } = gate();
    const [slow, ...quick] = envelopes(20, { type: 'b.happened' });
    const orders = recorder(({ envelope }) => (envelope.id === slow?.id ? mayEnd : undefined));
    // Acknowledgements wait for hardly any others with so small a prefetch.
    await broker.consume('orders', { prefetch: 8 }, orders.handler);
    for (const envelope of [slow, ...quick]) if (envelope !== undefined) await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries.length).toBe(20));
    corner.proxy.cut();
    corner.proxy.mend();
    await eventually(() => expect(orders.ids().filter((id) => id === slow?.id)).toHaveLength(2));
    expect(orders.deliveries.length).toBeLessThan(30);
    end();
  });
});

describe('hints on RabbitMQ', () => {
  it('tells hints to other processes that listen to their topic, and to its own listeners only once', async () => {
    const [one, other] = [await corner.open(), await corner.open()];
    const heard: Record<string, string[]> = { one: [], other: [] };
    one.onBroadcast(['saga'], ({ key }) => heard['one']?.push(key));
    other.onBroadcast(['saga'], ({ key }) => heard['other']?.push(key));
    await meet(one, other, 'saga');
    const runs = (name: string) => heard[name]?.filter((key) => key.startsWith('run_'));
    one.broadcast({ topic: 'saga', key: 'run_1' });
    one.broadcast({ topic: 'saga', key: 'run_2' });
    await eventually(() => expect(runs('other')).toEqual(['run_1', 'run_2']));
    other.broadcast({ topic: 'else', key: 'run_3' });
    other.broadcast({ topic: 'saga', key: 'run_4' });
    await eventually(() => expect(runs('one')).toEqual(['run_1', 'run_2', 'run_4']));
  });

  it('tells a process that begins to listen later, and one that was cut off, as soon as they are there', async () => {
    const [one, other] = [await corner.open(), await corner.open({ url: corner.serverUrl })];
    other.onBroadcast(['saga'], () => undefined);
    one.onBroadcast(['saga'], () => undefined);
    await meet(one, other, 'saga');
    corner.proxy.cut();
    await eventually(() => expect(one.isHealthy()).toBe(false));
    corner.proxy.mend();
    await meet(one, other, 'saga');
  });

  it('sends no hint that only its own process could use', async () => {
    const broker = await corner.open();
    const { hints } = corner.names;
    const { queue } = await corner.channel.assertQueue('', { exclusive: true });
    for (const topic of ['saga', 'log']) await corner.channel.bindQueue(queue, hints, topic);
    const nextSignal = (): Promise<unknown> =>
      eventually(async () => {
        const message = await corner.channel.get(queue, { noAck: true });
        if (message === false) throw new Error('nothing was sent');
        return JSON.parse(message.content.toString()) as unknown;
      });
    broker.onBroadcast(['saga'], () => undefined);
    expect(await nextSignal()).toEqual({ topic: 'saga', keys: [] }); // it says that it is there
    broker.broadcast({ topic: 'saga', key: 'run_1' });
    broker.broadcast({ topic: 'log', key: '7' });
    expect(await nextSignal()).toEqual({ topic: 'log', keys: ['7'] });
  });
});
