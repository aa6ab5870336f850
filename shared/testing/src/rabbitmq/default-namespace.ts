import { connect, type ChannelModel } from 'amqplib';
import { connectRabbitmq, defaultNamespace, namesOf, topologyOf } from '@holdfast/messaging/broker';
import { allMessages } from '@holdfast/contracts/messages';
import { existingServices } from '@holdfast/contracts/services';
import { eventually } from '../eventually/index.js';
import { silentLog } from '../log/index.js';
import { testServerUrl } from '../servers/index.js';

/** Exclusive use of the default namespace on the shared RabbitMQ of the tests. */
export type DefaultNamespace = {
  readonly url: string;
  /** Releases the lock, then throws if dead-lettered messages were left that no service has parked. */
  readonly release: () => Promise<void>;
};

const lockName = 'default-namespace-lock';
/** Below the timeout of a `beforeAll` hook (`serverStartTimeoutMs`). */
const waitMsMax = 280_000;

/**
 * Service processes always use the default namespace, and all test files share one RabbitMQ, so one test file at a time may run them.
 * The lock is an exclusive queue, which RabbitMQ deletes with its connection, also after a crash.
 */
export async function lockDefaultNamespace(): Promise<DefaultNamespace> {
  const url = await testServerUrl('rabbitmq');
  const connection = await connect(url);
  connection.on('error', () => undefined);
  try {
    await eventually(() => lock(connection), { timeoutMs: waitMsMax });
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    url,
    release: async () => {
      const count = await purgeParkedQueues(url, connection).finally(() => connection.close());
      if (count > 0) throw new Error(`${count.toString()} dead-lettered messages were left in the parked queues`);
    },
  };
}

/** RabbitMQ closes only the channel when the queue is locked by another connection. */
async function lock(connection: ChannelModel): Promise<void> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  await channel.assertQueue(lockName, { exclusive: true });
}

/**
 * A running service moves dead-lettered messages to the parked messages in its database. Those that no service has taken must not
 * reach the services of the next test file.
 */
async function purgeParkedQueues(url: string, connection: ChannelModel): Promise<number> {
  const broker = await connectRabbitmq({ url, topology: topologyOf(allMessages, existingServices), log: silentLog });
  await broker.close(); // it has declared the queues
  const channel = await connection.createChannel();
  let count = 0;
  for (const service of existingServices)
    count += (await channel.purgeQueue(namesOf(defaultNamespace).parked(service))).messageCount;
  return count;
}
