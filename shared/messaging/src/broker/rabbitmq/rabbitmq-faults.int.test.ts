import { anEnvelope, envelopes, idsOf, recorder, testRetryDelaysMs } from '@holdfast/testing/broker';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { NonRetryableError } from '../broker.js';
import { openTestNamespace, type TestNamespace } from './testing/test-namespace.js';

let corner: TestNamespace;
beforeEach(async () => {
  corner = await openTestNamespace();
}, serverStartTimeoutMs);
afterEach(() => corner.close());

describe('the RabbitMQ driver', () => {
  it('rejects a message that the broker returns, names it, and sends its neighbours', async () => {
    const broker = await corner.open();
    await corner.channel.deleteQueue(corner.names.queue('payments'));
    const [lost, good] = [anEnvelope({ type: 'a.happened' }), anEnvelope({ type: 'b.happened' })];
    const failure: unknown = await broker.publish([lost, good]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'PublishFailed', messageIds: [lost.id] });
    expect(String(failure)).toContain('no queue takes messages of type a.happened');
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(() => expect(orders.ids()).toEqual(idsOf([lost, good])));
  });

  it('gives up on a publish when the broker is stuck, and leaves that connection for a new one', async () => {
    const broker = await corner.open({ publishTimeoutMs: 300 });
    corner.proxy.freeze();
    const envelope = anEnvelope();
    await expect(broker.publish([envelope])).rejects.toThrow('not confirmed within 300 ms');
    await eventually(() => broker.publish([envelope]));
  });

  it('rejects within its time limit while there is no broker, and tells that it is not healthy', async () => {
    const broker = await corner.open({ publishTimeoutMs: 300 });
    corner.proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    await expect(broker.publish(envelopes(3))).rejects.toThrow('3 of 3 messages may not have been published');
    await expect(broker.listParked('orders', 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    broker.broadcast({ topic: 'saga', key: 'run_1' });
    corner.proxy.mend();
    await eventually(() => expect(broker.isHealthy()).toBe(true));
    await broker.publish(envelopes(3));
  });

  it('waits for a broker that is away only for a moment', async () => {
    const broker = await corner.open();
    corner.proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    const publishing = broker.publish(envelopes(3));
    corner.proxy.mend();
    await publishing;
  });

  it('refuses more than may wait while there is no broker', async () => {
    const broker = await corner.open({ publishTimeoutMs: 500 });
    corner.proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    const failure: unknown = await broker.publish(envelopes(20_001)).catch((error: unknown) => error);
    expect(String(failure)).toContain('20001 of 20001');
  });

  it('builds everything anew when a queue is deleted under its consumer', async () => {
    const broker = await corner.open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await corner.channel.deleteQueue(corner.names.queue('orders'));
    const envelope = anEnvelope({ type: 'b.happened' });
    await eventually(() => broker.publish([envelope]));
    await eventually(() => expect(orders.ids()).toContain(envelope.id));
  });

  it('keeps a failed message in its queue when it cannot be put on the ladder', async () => {
    const broker = await corner.open();
    const [firstRungMs = 0] = testRetryDelaysMs;
    await corner.channel.deleteQueue(corner.names.retry('orders', firstRungMs));
    const orders = recorder((_, count) => {
      if (count === 1) throw new Error('not today');
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries).toEqual([0, 0].map((attempts) => ({ envelope, attempts }))));
  });

  it('parks what was delivered a thousand times without ever being answered', async () => {
    const broker = await corner.open();
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await corner.channel.consume(corner.names.queue('orders'), (message) => {
      if (message !== null) corner.channel.nack(message);
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

  it('loses no parked message when it is cut off while sending them back', async () => {
    const broker = await corner.open({ publishTimeoutMs: 1_000 });
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
    corner.proxy.cut();
    expect(await redriving).toBeLessThan(200);
    corner.proxy.mend();
    await eventually(() => broker.redriveParked('orders'));
    await eventually(() => expect([...handled].sort()).toEqual(idsOf(sent)));
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
  });
});

describe('connecting to RabbitMQ', () => {
  it('fails in words, and in time, when nothing answers there', async () => {
    corner.proxy.cut();
    await expect(corner.open({ connectTimeoutMs: 500 })).rejects.toThrow(
      /^RabbitMQ at 127\.0\.0\.1:\d+ cannot be used: .*no success within 500 ms/,
    );
  });

  it('waits for a broker that is just starting', async () => {
    corner.proxy.cut();
    const opening = corner.open();
    setTimeout(corner.proxy.mend, 300);
    expect((await opening).isHealthy()).toBe(true);
  });

  it('fails at once, without showing the password, when the login is refused', async () => {
    const url = new URL(corner.proxy.url);
    url.password = 'wrong-password';
    const failure: unknown = await corner.open({ url: url.href }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/ACCESS[-_]REFUSED/);
    expect(String(failure)).not.toContain('wrong-password');
  });
});
