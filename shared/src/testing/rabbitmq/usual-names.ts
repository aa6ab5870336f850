import { connect, type ChannelModel } from 'amqplib';
import { testServerUrl } from '../servers/index.js';
import { eventually } from '../eventually/index.js';

/** A broker on which nobody else uses the names that processes of the product use. */
export type UsualNames = { readonly url: string; readonly letGo: () => Promise<void> };

const lockName = 'usual-names-are-in-use';
/** Less than a suite may take to start. */
const waitMsMax = 280_000;

/**
 * Whole processes of the product cannot be given names of their own on the broker that all test files share, so one suite at a time has
 * them. The broker frees them however their user ends, because an exclusive queue goes with its connection.
 */
export async function takeUsualNames(): Promise<UsualNames> {
  const url = await testServerUrl('rabbitmq');
  const connection = await connect(url);
  connection.on('error', () => undefined);
  await eventually(() => lock(connection), { timeoutMs: waitMsMax });
  return { url, letGo: () => connection.close() };
}

/** Whoever is refused loses the channel, not the connection. */
async function lock(connection: ChannelModel): Promise<void> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  await channel.assertQueue(lockName, { exclusive: true });
}
