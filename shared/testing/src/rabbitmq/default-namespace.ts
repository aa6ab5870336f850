import { connect, type ChannelModel } from 'amqplib';
import { connectRabbitmq, defaultNamespace, defaultRetryDelaysMs, namesOf, topologyOf } from '@holdfast/messaging/broker';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import { eventually } from '../eventually/index.js';
import { silentLog } from '../log/index.js';
import { testServerUrl } from '../servers/index.js';

/** Exclusive use of the default namespace on one of the tests' RabbitMQ servers. */
export type DefaultNamespace = {
  readonly url: string;
  /** Releases the lock, then throws if dead-lettered messages were left that no service has parked. */
  readonly release: () => Promise<void>;
};

/** A test file waits if others have locked all of them. They are one and the same if AMQP_URL names it. */
const servers = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'] as const;
const lockName = 'default-namespace-lock';
/** Below the timeout of a `beforeAll` hook (`serverStartTimeoutMs`). */
const waitMsMax = 280_000;

type Locked = { readonly url: string; readonly connection: ChannelModel; readonly isLost: () => boolean };

/**
 * Service processes always use the default namespace, so one test file at a time may run them on a RabbitMQ. The lock is an exclusive
 * queue, which RabbitMQ deletes with its connection, also after a crash.
 */
export async function lockDefaultNamespace(): Promise<DefaultNamespace> {
  const { url, connection, isLost } = await eventually(lockOneOfServers, { timeoutMs: waitMsMax });
  await deleteQueues(connection);
  return {
    url,
    release: async () => {
      if (isLost()) throw new Error('the lock was lost: services of another test file may have handled messages of this one');
      const count = await countParked(url, connection).finally(() => connection.close());
      if (count > 0) throw new Error(`${count.toString()} dead-lettered messages were left in the parked queues`);
    },
  };
}

/** A server starts when those before it are locked. */
async function lockOneOfServers(): Promise<Locked> {
  for (const server of servers) {
    const locked = await lock(await testServerUrl(server));
    if (locked !== undefined) return locked;
  }
  throw new Error('the default namespaces of all servers are in use');
}

/** Undefined if another connection has the lock. */
async function lock(url: string): Promise<Locked | undefined> {
  const connection = await connect(withoutHeartbeat(url));
  let isLost = false;
  connection.on('error', () => undefined);
  connection.on('close', () => void (isLost = true));
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    await channel.assertQueue(lockName, { exclusive: true });
    return { url, connection, isLost: () => isLost };
  } catch {
    await connection.close();
    return undefined;
  }
}

/** A test that computes for a minute, or waits for a command, sends no heartbeats; with them it would lose the lock. */
function withoutHeartbeat(url: string): string {
  const parts = new URL(url);
  parts.searchParams.set('heartbeat', '0');
  return parts.href;
}

/**
 * Messages that the services of the previous test file have left must not reach the services of this one. Such messages wait for a retry,
 * or a killed process had not acknowledged them. Services declare the queues again.
 */
async function deleteQueues(connection: ChannelModel): Promise<void> {
  const names = namesOf(defaultNamespace);
  const channel = await connection.createChannel();
  for (const service of serviceNames) {
    const retries = defaultRetryDelaysMs.map((delayMs) => names.retry(service, delayMs));
    for (const queue of [names.queue(service), ...retries, names.parked(service)]) await channel.deleteQueue(queue);
  }
}

/** A running service moves dead-lettered messages to the parked messages in its database. */
async function countParked(url: string, connection: ChannelModel): Promise<number> {
  const broker = await connectRabbitmq({ url, topology: topologyOf(allMessages, serviceNames), log: silentLog });
  await broker.close(); // it has declared the queues
  const channel = await connection.createChannel();
  let count = 0;
  for (const service of serviceNames) count += (await channel.checkQueue(namesOf(defaultNamespace).parked(service))).messageCount;
  return count;
}
