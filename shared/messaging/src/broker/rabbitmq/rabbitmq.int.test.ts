import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { systemClock } from '@holdfast/kernel/context';
import { describeBroker, testRetryDelaysMs, testTopology, type BrokerUnderTest } from '@holdfast/testing/broker';
import { silentLog } from '@holdfast/testing/log';
import { startCuttingProxy, testRabbitmqUrl, type CuttingProxy } from '@holdfast/testing/rabbitmq';
import type { Broker } from '../broker.js';
import { connectRabbitmq } from './connect-rabbitmq.js';
import { namesOf } from './names.js';
import { deleteEverything } from './testing/test-namespace.js';

/** Long enough for every client to detect the closed socket. */
const outageMs = 200;

async function createBroker(): Promise<BrokerUnderTest> {
  const url = await testRabbitmqUrl();
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const admin = await connect(url);
  const channel = await admin.createChannel();
  const opened = new Map<Broker, CuttingProxy>();
  const dead = new Set<CuttingProxy>();
  const open: BrokerUnderTest['open'] = async (options) => {
    const proxy = await startCuttingProxy(url);
    const broker = await connectRabbitmq({
      url: proxy.url,
      topology: testTopology,
      log: silentLog,
      clock: systemClock(),
      namespace,
      retryDelaysMs: testRetryDelaysMs,
      ...options,
    });
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
