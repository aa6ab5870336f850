import { randomBytes } from 'node:crypto';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import { systemClock } from '../../context/index.js';
import { anEnvelope, envelopes, idsOf, recorder, testLadderMs, testTopology } from '../../testing/broker/index.js';
import { eventually } from '../../testing/eventually/index.js';
import { silentLog } from '../../testing/log/index.js';
import { startCuttingProxy, testRabbitmqUrl, type CuttingProxy } from '../../testing/rabbitmq/index.js';
import { serverStartTimeoutMs } from '../../testing/servers/index.js';
import { PoisonMessage, type Broker, type Hint } from '../broker.js';
import { connectRabbitmq, type RabbitmqOptions } from './connect-rabbitmq.js';
import { namesOf } from './names.js';

let serverUrl: string;
let admin: ChannelModel;
let channel: Channel;
let proxy: CuttingProxy;
let namespace: string;
let opened: Broker[];

beforeAll(async () => {
  serverUrl = await testRabbitmqUrl();
  admin = await connect(serverUrl);
}, serverStartTimeoutMs);
afterAll(() => admin.close());

beforeEach(async () => {
  namespace = `test-${randomBytes(6).toString('hex')}`;
  opened = [];
  channel = await admin.createChannel();
  proxy = await startCuttingProxy(serverUrl);
});
afterEach(async () => {
  await Promise.all(opened.map((broker) => broker.close()));
  await proxy.close();
  const names = namesOf(namespace);
  for (const { name } of testTopology.queues) {
    const queues = [names.queue(name), names.parked(name), ...testLadderMs.map((delayMs) => names.retry(name, delayMs))];
    for (const queue of queues) await channel.deleteQueue(queue);
  }
  for (const exchange of [names.events, names.hints]) await channel.deleteExchange(exchange);
  await channel.close();
});

async function open(options: Partial<RabbitmqOptions> = {}): Promise<Broker> {
  const given = {
    url: proxy.url,
    topology: testTopology,
    log: silentLog,
    clock: systemClock(),
    namespace,
    ladderMs: testLadderMs,
  };
  const broker = await connectRabbitmq({ ...given, ...options });
  opened.push(broker);
  return broker;
}

describe('the RabbitMQ driver', () => {
  it('rejects a message that the broker returns, names it, and sends its neighbours', async () => {
    const broker = await open();
    await channel.unbindQueue(namesOf(namespace).queue('orders'), namesOf(namespace).events, 'b.happened');
    const [lost, good] = [anEnvelope({ type: 'b.happened' }), anEnvelope()];
    const failure: unknown = await broker.publish([lost, good]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'PublishFailed', messageIds: [lost.id] });
    expect(String(failure)).toContain('no queue takes messages of type b.happened');
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await eventually(() => expect(orders.ids()).toEqual([good.id]));
  });

  it('tells hints to other processes, and to its own listeners only once', async () => {
    const [one, other] = [await open(), await open()];
    const heard: Record<string, Hint[]> = { one: [], other: [] };
    one.onBroadcast((hint) => heard['one']?.push(hint));
    other.onBroadcast((hint) => heard['other']?.push(hint));
    const [first, second] = [
      { topic: 'saga', key: 'run_1' },
      { topic: 'saga', key: 'run_2' },
    ];
    one.broadcast(first);
    await eventually(() => expect(heard['other']).toEqual([first]));
    other.broadcast(second);
    await eventually(() => expect(heard['one']).toEqual([first, second]));
    expect(heard['other']).toEqual([first, second]);
  });

  it('gives up on a publish when the broker is stuck, and leaves that connection for a new one', async () => {
    const broker = await open({ publishTimeoutMs: 300 });
    proxy.freeze();
    const began = performance.now();
    const envelope = anEnvelope();
    await expect(broker.publish([envelope])).rejects.toThrow('not confirmed within 300 ms');
    expect(performance.now() - began).toBeLessThan(2_000);
    await eventually(() => broker.publish([envelope]));
  });

  it('rejects within its time limit while there is no broker, and tells that it is not healthy', async () => {
    const broker = await open({ publishTimeoutMs: 300 });
    proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    await expect(broker.publish(envelopes(3))).rejects.toThrow('3 of 3 messages may not have been published');
    await expect(broker.listParked('orders', 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    broker.broadcast({ topic: 'saga', key: 'run_1' });
    proxy.mend();
    await eventually(() => expect(broker.isHealthy()).toBe(true));
    await broker.publish(envelopes(3));
  });

  it('waits for a broker that is away only for a moment', async () => {
    const broker = await open();
    proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    const publishing = broker.publish(envelopes(3));
    proxy.mend();
    await publishing;
  });

  it('refuses more than may wait while there is no broker', async () => {
    const broker = await open({ publishTimeoutMs: 500 });
    proxy.cut();
    await eventually(() => expect(broker.isHealthy()).toBe(false));
    const failure: unknown = await broker.publish(envelopes(20_001)).catch((error: unknown) => error);
    expect(String(failure)).toContain('20001 of 20001');
  });

  it('builds everything anew when a queue is deleted under its consumer', async () => {
    const broker = await open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await channel.deleteQueue(namesOf(namespace).queue('orders'));
    const envelope = anEnvelope({ type: 'b.happened' });
    await eventually(() => broker.publish([envelope]));
    await eventually(() => expect(orders.ids()).toContain(envelope.id));
  });

  it('keeps a failed message in its queue when it cannot be put on the ladder', async () => {
    const broker = await open();
    const [firstRungMs = 0] = testLadderMs;
    await channel.deleteQueue(namesOf(namespace).retry('orders', firstRungMs));
    const orders = recorder((_, count) => {
      if (count === 1) throw new Error('not today');
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries).toEqual([0, 0].map((attempts) => ({ envelope, attempts }))));
  });

  it('parks what was delivered a thousand times without ever being answered', async () => {
    const broker = await open();
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await channel.consume(namesOf(namespace).queue('orders'), (message) => {
      if (message !== null) channel.nack(message);
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
    const broker = await open({ publishTimeoutMs: 1_000 });
    let isMended = false;
    const handled = new Set<string>();
    const orders = recorder(({ envelope }) => {
      if (!isMended) throw new PoisonMessage('bad');
      handled.add(envelope.id);
    });
    await broker.consume('orders', { prefetch: 50 }, orders.handler);
    const sent = envelopes(200, { type: 'b.happened' });
    await broker.publish(sent);
    await eventually(async () => expect((await broker.listParked('orders', 1_000)).length).toBe(200));
    isMended = true;
    const redriving = broker.redriveParked('orders').catch(() => 0);
    await eventually(() => expect(handled.size).toBeGreaterThan(20));
    proxy.cut();
    expect(await redriving).toBeLessThan(200);
    proxy.mend();
    await eventually(() => broker.redriveParked('orders'));
    await eventually(() => expect([...handled].sort()).toEqual(idsOf(sent)));
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
  });
});

describe('connecting to RabbitMQ', () => {
  it('fails in words, and in time, when nothing answers there', async () => {
    proxy.cut();
    const began = performance.now();
    await expect(open({ connectTimeoutMs: 500 })).rejects.toThrow(
      /^RabbitMQ at 127\.0\.0\.1:\d+ cannot be used: .*no success within 500 ms/,
    );
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  it('waits for a broker that is just starting', async () => {
    proxy.cut();
    const opening = open();
    setTimeout(proxy.mend, 300);
    expect((await opening).isHealthy()).toBe(true);
  });

  it('fails at once, without showing the password, when the login is refused', async () => {
    const url = new URL(proxy.url);
    url.password = 'wrong-password';
    const failure: unknown = await open({ url: url.href }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/ACCESS[-_]REFUSED/);
    expect(String(failure)).not.toContain('wrong-password');
  });
});
