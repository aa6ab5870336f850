import { anEnvelope, envelopes, idsOf, recorder, testRetryDelaysMs } from '@holdfast/testing/broker';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { NonRetryableError } from '../broker.js';
import { openTestNamespace, type TestNamespace } from './testing/test-namespace.js';

let namespace: TestNamespace;
beforeEach(async () => {
  namespace = await openTestNamespace();
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
    await expect(broker.listParked('orders', 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
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

  it('parks a message that was delivered a thousand times without an acknowledgement', async () => {
    const broker = await namespace.open();
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await namespace.channel.consume(namespace.names.queue('orders'), (message) => {
      if (message !== null) namespace.channel.nack(message);
    });
    const parked = await eventually(async () => {
      const [message] = await broker.listParked('orders', 1);
      expect(message).toBeDefined();
      return message;
    });
    expect(parked).toMatchObject({
      messageId: envelope.id,
      attempts: 0,
      body: envelope,
      reason: 'parked by the broker: delivery_limit',
    });
    expect(parked?.parkedAt).toMatch(/Z$/);
  });

  it('loses no parked message when the connection is lost during a redrive', async () => {
    const broker = await namespace.open({ publishTimeoutMs: 1_000 });
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
    const redriving = broker.redriveParked('orders').catch(() => 0);
    await eventually(() => expect(handled.size).toBeGreaterThan(20));
    namespace.proxy.cut();
    expect(await redriving).toBeLessThan(200);
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
