import { randomBytes } from 'node:crypto';
import { connect, type Channel } from 'amqplib';
import { systemClock } from '@holdfast/kernel/context';
import { testRetryDelaysMs, testTopology } from '@holdfast/testing/broker';
import { silentLog } from '@holdfast/testing/log';
import { startCuttingProxy, testRabbitmqUrl, type CuttingProxy } from '@holdfast/testing/rabbitmq';
import type { Broker } from '../../broker.js';
import { connectRabbitmq, type RabbitmqOptions } from '../connect-rabbitmq.js';
import { namesOf, type Names } from '../names.js';

/** A namespace of one test on the test server, with a channel that bypasses the driver. */
export type TestNamespace = {
  readonly serverUrl: string;
  readonly names: Names;
  readonly channel: Channel;
  /** Between the server and every broker that is opened without a `url`. */
  readonly proxy: CuttingProxy;
  readonly open: (options?: Partial<RabbitmqOptions>) => Promise<Broker>;
  /** Closes every broker and deletes the queues and the exchange. */
  readonly close: () => Promise<void>;
};

export async function openTestNamespace(): Promise<TestNamespace> {
  const serverUrl = await testRabbitmqUrl();
  const admin = await connect(serverUrl);
  const channel = await admin.createChannel();
  const proxy = await startCuttingProxy(serverUrl);
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const names = namesOf(namespace);
  const common = { topology: testTopology, log: silentLog, clock: systemClock(), namespace, retryDelaysMs: testRetryDelaysMs };
  const opened: Broker[] = [];
  return {
    serverUrl,
    names,
    channel,
    proxy,
    open: async (options) => {
      const broker = await connectRabbitmq({ url: proxy.url, ...common, ...options });
      opened.push(broker);
      return broker;
    },
    close: async () => {
      await Promise.all(opened.map((broker) => broker.close()));
      await proxy.close();
      await deleteEverything(channel, names);
      await admin.close();
    },
  };
}

/** Deletes the queues and the exchange of the namespace. */
export async function deleteEverything(channel: Channel, names: Names): Promise<void> {
  for (const { name } of testTopology.queues) {
    const queues = [names.queue(name), names.parked(name), ...testRetryDelaysMs.map((delayMs) => names.retry(name, delayMs))];
    for (const queue of queues) await channel.deleteQueue(queue);
  }
  await channel.deleteExchange(names.broadcasts);
}
