import { randomBytes } from 'node:crypto';
import { connect, type Channel } from 'amqplib';
import { testBroker, testRetryDelaysMs, testTopology, type ParkedTables, type TestBroker } from '@holdfast/testing/broker';
import { silentLog } from '@holdfast/testing/log';
import { startCuttingProxy, testRabbitmqUrl, type CuttingProxy } from '@holdfast/testing/rabbitmq';
import { connectRabbitmq, type RabbitmqOptions } from '../connect-rabbitmq.js';
import { namesOf, type Names } from '../names.js';

/** A namespace of one test on the test server, with a channel that bypasses the driver. */
export type TestNamespace = {
  readonly serverUrl: string;
  readonly names: Names;
  /** The options of every broker that is opened, but for the URL. */
  readonly options: Omit<RabbitmqOptions, 'url'>;
  readonly channel: Channel;
  /** Between the server and every broker that is opened without a `url`. */
  readonly proxy: CuttingProxy;
  readonly open: (options?: Partial<RabbitmqOptions>) => Promise<TestBroker>;
  /** Closes every broker and deletes the queues and the exchange. */
  readonly close: () => Promise<void>;
};

/** Its consumers park their messages in the tables of the file, which are empty again when it is closed. */
export async function openTestNamespace(parked: ParkedTables): Promise<TestNamespace> {
  const serverUrl = await testRabbitmqUrl();
  const admin = await connect(serverUrl);
  const channel = await admin.createChannel();
  const proxy = await startCuttingProxy(serverUrl);
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const names = namesOf(namespace);
  const common = { topology: testTopology, log: silentLog, namespace, retryDelaysMs: testRetryDelaysMs };
  const opened: TestBroker[] = [];
  return {
    serverUrl,
    names,
    options: common,
    channel,
    proxy,
    open: async (options) => {
      const broker = testBroker(await connectRabbitmq({ url: proxy.url, ...common, ...options }), parked.of);
      opened.push(broker);
      return broker;
    },
    close: async () => {
      await Promise.all(opened.map((broker) => broker.close()));
      await proxy.close();
      await deleteEverything(channel, names);
      await admin.close();
      await parked.clear();
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
