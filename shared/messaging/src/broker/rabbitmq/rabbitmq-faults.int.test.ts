import {
  anEnvelope,
  envelopes,
  idsOf,
  openParkedTables,
  recorder,
  testRetryDelaysMs,
  type ParkedTables,
} from '@holdfast/testing/broker';
import { eventually } from '@holdfast/testing/eventually';
import { memoryParked } from '@holdfast/testing/parked';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { redriveParked } from '../../parked/index.js';
import { NonRetryableError, type UnhandledMessage } from '../broker.js';
import { connectRabbitmq } from './connect-rabbitmq.js';
import { deleteEverything, openTestNamespace, type TestNamespace } from './testing/test-namespace.js';

/** RabbitMQ delivers a message about a thousand times first. */
const deathTimeoutMs = 60_000;

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

describe('the RabbitMQ driver', () => {
  it('rejects with the id of a message that the broker returns, and publishes the other messages', async () => {
    const broker = await namespace.open();
    await namespace.channel.deleteQueue(namespace.names.queue('payments'));
    const [lost, good] = [anEnvelope({ type: 'a.happened' }), anEnvelope({ type: 'b.happened' })];
    const failure: unknown = await broker.publish([lost, good]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'PublishFailed', messageIds: [lost.id] });
    expect(String(failure)).toContain('no queue takes messages of type a.happened');
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(() => expect(orders.ids()).toEqual(idsOf([lost, good])));
  });

  it('rejects a publish at the time limit when the broker does not respond, and reconnects', async () => {
    const broker = await namespace.open({ publishTimeoutMs: 300 });
    namespace.proxy.freeze();
    const envelope = anEnvelope();
    await expect(broker.publish([envelope])).rejects.toThrow('not confirmed within 300 ms');
    await eventually(() => broker.publish([envelope]));
  });

  it('rejects a publish at the time limit while disconnected, and is not healthy', async () => {
    const broker = await namespace.open({ publishTimeoutMs: 300 });
    namespace.proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    await expect(broker.publish(envelopes(3))).rejects.toThrow('3 of 3 messages may not have been published');
    broker.broadcast({ topic: 'saga', key: 'run_1' });
    namespace.proxy.mend();
    await eventually(() => expect(broker.isHealthy()).toBe(true));
    await broker.publish(envelopes(3));
  });

  it('publishes after a reconnect within the time limit', async () => {
    const broker = await namespace.open();
    namespace.proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    const publishing = broker.publish(envelopes(3));
    namespace.proxy.mend();
    await publishing;
  });

  it('rejects more messages than may wait while disconnected', async () => {
    const broker = await namespace.open({ publishTimeoutMs: 500 });
    namespace.proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    const failure: unknown = await broker.publish(envelopes(20_001)).catch((error: unknown) => error);
    expect(String(failure)).toContain('20001 of 20001');
  });

  it('reconnects and declares the queue again when it is deleted while being consumed', async () => {
    const broker = await namespace.open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await namespace.channel.deleteQueue(namespace.names.queue('orders'));
    const envelope = anEnvelope({ type: 'b.happened' });
    await eventually(() => broker.publish([envelope]));
    await eventually(() => expect(orders.ids()).toContain(envelope.id));
  });

  it('requeues a failed message when its retry queue does not exist', async () => {
    const broker = await namespace.open();
    const [firstDelayMs = 0] = testRetryDelaysMs;
    await namespace.channel.deleteQueue(namespace.names.retry('orders', firstDelayMs));
    const orders = recorder((_, count) => {
      if (count === 1) throw new Error('not today');
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries).toEqual([0, 0].map((attempts) => ({ envelope, attempts }))));
  });

  it('parks what RabbitMQ dead-lettered after a thousand deliveries, each message of a batch on its own', async () => {
    const broker = await namespace.open();
    const sent = envelopes(2, { type: 'b.happened' });
    await broker.publish(sent);
    await namespace.channel.consume(namespace.names.queue('orders'), (message) => {
      if (message !== null) namespace.channel.nack(message);
    });
    const inParkedQueue = async (): Promise<number> =>
      (await namespace.channel.checkQueue(namespace.names.parked('orders'))).messageCount;
    await eventually(async () => expect(await inParkedQueue()).toBe(1), { timeoutMs: deathTimeoutMs });
    await broker.consume('orders', { prefetch: 1 }, () => Promise.resolve());
    const parked = await eventually(async () => {
      const messages = await broker.listParked('orders', 10);
      expect(messages).toHaveLength(2);
      return messages;
    });
    expect(parked.map(({ body }) => body)).toEqual(expect.arrayContaining([...sent]));
    for (const message of parked) expect(message).toMatchObject({ attempts: 0, reason: 'parked by the broker: delivery_limit' });
    await eventually(async () => expect(await inParkedQueue()).toBe(0));
  });

  it('loses no parked message when RabbitMQ loses its queues', async () => {
    const broker = await namespace.open();
    let isMended = false;
    const orders = recorder(() => {
      if (!isMended) throw new NonRetryableError('bad');
    });
    const consuming = await broker.consume('orders', { prefetch: 50 }, orders.handler);
    const sent = envelopes(5, { type: 'b.happened' });
    await broker.publish(sent);
    await eventually(async () => expect(await broker.listParked('orders', 10)).toHaveLength(5));
    await consuming.stop();
    await broker.close();
    await deleteEverything(namespace.channel, namespace.names);

    isMended = true;
    const next = await namespace.open();
    await next.consume('orders', { prefetch: 50 }, orders.handler);
    expect(await next.redriveParked('orders')).toBe(5);
    await eventually(async () => expect(await next.listParked('orders', 10)).toEqual([]));
    expect(orders.deliveries).toHaveLength(10);
  });

  it('requeues a message that cannot be parked, and parks it once the database is reachable', async () => {
    const broker = await connectRabbitmq({ ...namespace.options, url: namespace.serverUrl });
    const stored = memoryParked();
    let attempts = 0;
    const parked = {
      ...stored,
      park: (message: UnhandledMessage) => {
        attempts += 1;
        return attempts === 1 ? Promise.reject(new Error('no database')) : stored.park(message);
      },
    };
    const fail = (): Promise<void> => Promise.reject(new NonRetryableError('bad'));
    await broker.consume('orders', { prefetch: 1, parked }, fail);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(() => expect(stored.messages()).toMatchObject([{ messageId: envelope.id, attempts: 1 }]));
    await broker.close();
  });

  it('loses no parked message when the connection is lost during a redrive', async () => {
    const broker = await namespace.open({ publishTimeoutMs: 5_000 });
    let isMended = false;
    const handled = new Set<string>();
    const orders = recorder(({ envelope }) => {
      if (!isMended) throw new NonRetryableError('bad');
      handled.add(envelope.id);
    });
    await broker.consume('orders', { prefetch: 50 }, orders.handler);
    const sent = envelopes(200, { type: 'b.happened' });
    await broker.publish(sent);
    await eventually(async () => expect((await broker.listParked('orders', 1_000)).length).toBe(200));
    isMended = true;
    const stored = parked.of('orders');
    const cutAfterOneBatch: typeof stored.markRedriven = async (...batch) => {
      await eventually(() => expect(handled.size).toBeGreaterThan(20));
      namespace.proxy.cut();
      return stored.markRedriven(...batch);
    };
    const redriving = redriveParked({ parked: { ...stored, markRedriven: cutAfterOneBatch }, broker, queue: 'orders' });
    await expect(redriving).rejects.toThrow('may not have been published');
    namespace.proxy.mend();
    await eventually(() => broker.redriveParked('orders'));
    await eventually(() => expect([...handled].sort()).toEqual(idsOf(sent)));
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
  });
});

describe('connecting to RabbitMQ', () => {
  it('fails at the time limit, naming the host, when nothing listens there', async () => {
    namespace.proxy.cut();
    await expect(namespace.open({ connectTimeoutMs: 500 })).rejects.toThrow(
      /^RabbitMQ at 127\.0\.0\.1:\d+ cannot be used: .*no success within 500 ms/,
    );
  });

  it('waits for a broker that is starting', async () => {
    namespace.proxy.cut();
    const opening = namespace.open();
    setTimeout(namespace.proxy.mend, 300);
    expect((await opening).isHealthy()).toBe(true);
  });

  it('fails at once, without the password in the error, when the credentials are refused', async () => {
    const url = new URL(namespace.proxy.url);
    url.password = 'wrong-password';
    const failure: unknown = await namespace.open({ url: url.href }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/ACCESS[-_]REFUSED/);
    expect(String(failure)).not.toContain('wrong-password');
  });
});
