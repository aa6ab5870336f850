import { randomBytes } from 'node:crypto';
import { connectRabbitmq, type Broker } from '@holdfast/messaging/broker';
import { eventually } from '@holdfast/testing/eventually';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import { testRabbitmqUrl } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { createWakeReplicas, listenToReplicas } from './wake-replicas.js';

const never = 3_600_000;

/** A process of orders with a job that waits for due rows and finds none. */
function aProcess(broker: Broker) {
  let runs = 0;
  const run = (): Promise<void> => Promise.resolve(void (runs += 1));
  const job = { name: 'due-orders', everyMs: never, run, nextDueInMs: () => Promise.resolve(undefined) };
  const runner = runJobs(job);
  const stopListening = listenToReplicas({ service: 'orders', broker }, [job], runner.wake);
  return { runs: () => runs, stopListening, stop: runner.stop };
}

describe('a wake-up of the replicas', () => {
  it(
    'runs the job of the same service in every process, until it stops listening',
    async () => {
      const url = await testRabbitmqUrl();
      const namespace = `wake-${randomBytes(4).toString('hex')}`;
      const connect = (): Promise<Broker> => connectRabbitmq({ url, namespace, topology: { queues: [] }, log: silentLog });
      const brokers = await Promise.all([connect(), connect()]);
      const [here, elsewhere] = [aProcess(brokers[0]), aProcess(brokers[1])];

      createWakeReplicas({ service: 'payments', broker: brokers[0] })('due-orders');
      createWakeReplicas({ service: 'orders', broker: brokers[0] })('unknown-job');
      createWakeReplicas({ service: 'orders', broker: brokers[0] })('due-orders');
      await eventually(() => expect([here.runs(), elsewhere.runs()]).toEqual([1, 1]));

      elsewhere.stopListening();
      createWakeReplicas({ service: 'orders', broker: brokers[1] })('due-orders');
      await eventually(() => expect([here.runs(), elsewhere.runs()]).toEqual([2, 1]));
      await Promise.all([here.stop(), elsewhere.stop()]);
      await Promise.all(brokers.map((broker) => broker.close()));
    },
    serverStartTimeoutMs,
  );
});
