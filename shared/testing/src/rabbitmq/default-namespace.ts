import { connect, type ChannelModel } from 'amqplib';
import { connectRabbitmq, defaultNamespace, namesOf, topologyOf } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import { allMessages } from '@holdfast/contracts/messages';
import { existingServices } from '@holdfast/contracts/services';
import { eventually } from '../eventually/index.js';
import { silentLog } from '../log/index.js';
import { assertNoneParked, type Parked } from '../parked/index.js';
import { testServerUrl } from '../servers/index.js';

/** Exclusive use of the default namespace on the shared RabbitMQ of the tests. */
export type DefaultNamespace = {
  readonly url: string;
  /** Deletes and returns the parked messages, for tests that expect them. */
  readonly takeParked: () => Promise<readonly Parked[]>;
  /** Releases the lock, then throws if messages are parked that no test has taken. */
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
    takeParked: () => takeParked(url, connection),
    release: async () => {
      const parked = await takeParked(url, connection).finally(() => connection.close());
      assertNoneParked(parked);
    },
  };
}

/** RabbitMQ closes only the channel when the queue is locked by another connection. */
async function lock(connection: ChannelModel): Promise<void> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  await channel.assertQueue(lockName, { exclusive: true });
}

const listMax = 1_000;

async function takeParked(url: string, connection: ChannelModel): Promise<readonly Parked[]> {
  const topology = topologyOf(allMessages, existingServices);
  const broker = await connectRabbitmq({ url, topology, log: silentLog, clock: systemClock() });
  try {
    const parked = await Promise.all(existingServices.map((service) => broker.listParked(service, listMax)));
    const channel = await connection.createChannel();
    for (const service of existingServices) await channel.purgeQueue(namesOf(defaultNamespace).parked(service));
    await channel.close();
    return parked.flat();
  } finally {
    await broker.close();
  }
}
