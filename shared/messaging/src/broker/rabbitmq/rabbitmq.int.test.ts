import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import {
  describeBroker,
  openParkedTables,
  testBroker,
  testRetryDelaysMs,
  testTopology,
  type BrokerUnderTest,
  type ParkedTables,
  type TestBroker,
} from '@holdfast/testing/broker';
import { silentLog } from '@holdfast/testing/log';
import { startCuttingProxy, testRabbitmqUrl, type CuttingProxy } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { connectRabbitmq } from './connect-rabbitmq.js';
import { namesOf } from './names.js';
import { deleteEverything } from './testing/test-namespace.js';

/** Long enough for every client to detect the closed socket. */
const outageMs = 200;

let parked: ParkedTables;
beforeAll(async () => {
  parked = await openParkedTables();
}, serverStartTimeoutMs);
afterAll(() => parked.drop());

async function createBroker(): Promise<BrokerUnderTest> {
  await parked.clear();
  const url = await testRabbitmqUrl();
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const admin = await connect(url);
  const channel = await admin.createChannel();
  const opened = new Map<TestBroker, CuttingProxy>();
  const dead = new Set<CuttingProxy>();
  const open: BrokerUnderTest['open'] = async (options) => {
    const proxy = await startCuttingProxy(url);
    const connected = await connectRabbitmq({
      url: proxy.url,
      topology: testTopology,
      log: silentLog,
      namespace,
      retryDelaysMs: testRetryDelaysMs,
      ...options,
    });
    const broker = testBroker(connected, parked.of);
    opened.set(broker, proxy);
    return broker;
  };
  return {
    open,
    putRaw: async (queue, body) => {
      channel.sendToQueue(namesOf(namespace).queue(queue), Buffer.from(body));
      await channel.checkQueue(namesOf(namespace).queue(queue));
    },
    interrupt: async () => {
      const living = [...opened.values()].filter((proxy) => !dead.has(proxy));
      for (const proxy of living) proxy.cut();
      await pause(outageMs);
      for (const proxy of living) proxy.mend();
    },
    crash: async (broker) => {
      const proxy = opened.get(broker);
      if (proxy === undefined) throw new Error('unknown broker');
      dead.add(proxy);
      proxy.cut();
      return open();
    },
    dispose: async () => {
      await Promise.all([...opened].map(([broker]) => broker.close()));
      await Promise.all([...opened].map(([, proxy]) => proxy.close()));
      await deleteEverything(channel, namesOf(namespace));
      await admin.close();
    },
  };
}

describeBroker('RabbitMQ', createBroker);
