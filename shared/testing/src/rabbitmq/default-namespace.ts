import { connect, type ChannelModel } from 'amqplib';
import { connectRabbitmq, defaultNamespace, namesOf, topologyOf } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import { allMessages } from '@holdfast/contracts/messages';
import { existingServices } from '@holdfast/contracts/services';
import { eventually } from '../eventually/index.js';
import { silentLog } from '../log/index.js';
import { refuseParked, type Parked } from '../parked/index.js';
import { testServerUrl } from '../servers/index.js';

/** A broker on which nobody else uses the names that processes of the product use. */
export type DefaultNamespace = {
  readonly url: string;
  /** Removes the parked messages: what is taken was expected. */
  readonly takeParked: () => Promise<readonly Parked[]>;
  /** Fails, after the names are free, when messages are parked that no test has taken. */
  readonly release: () => Promise<void>;
};

const lockName = 'default-namespace-lock';
/** Less than a suite may take to start. */
const waitMsMax = 280_000;

/**
 * Whole processes of the product cannot be given names of their own on the broker that all test files share, so one suite at a time has
 * them. The broker frees them however their user ends, because an exclusive queue goes with its connection.
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
      refuseParked(parked);
    },
  };
}

/** Whoever is refused loses the channel, not the connection. */
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
