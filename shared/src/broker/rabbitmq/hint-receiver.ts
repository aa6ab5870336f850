import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { z } from 'zod';
import type { Log } from '../../context/index.js';
import { guardChannel } from './channel-guard.js';
import type { Names } from './names.js';

/** What processes tell each other: news of these keys, and that whoever tells it is there. */
export type HintSignal = { readonly topic: string; readonly keys: readonly string[] };

export type HintReceiverOptions = {
  readonly names: Names;
  readonly log: Log;
  /** From now on nothing of this topic is missed. */
  readonly onFollowing: (topic: string) => void;
  readonly onSignal: (origin: string, signal: HintSignal) => void;
  readonly onEnd: () => void;
};

export type HintReceiver = {
  /** Begins to receive the topic; what is told before that has taken effect is missed. */
  readonly follow: (topic: string) => void;
  readonly isFollowing: (topic: string) => boolean;
};

/** A process that does not keep up loses the oldest hints: they are only a way to be quicker than the poll. */
const unreadHintsMax = 10_000;
const signalShape = z.object({ topic: z.string().max(200), keys: z.array(z.string().max(500)).max(unreadHintsMax) });

/** The queue belongs to this connection and goes with it. */
export async function openHintReceiver(connection: ChannelModel, options: HintReceiverOptions): Promise<HintReceiver> {
  const { names, log, onSignal, onFollowing, onEnd } = options;
  const channel = await connection.createChannel();
  guardChannel(channel, { connection, log, name: 'receiver of hints' });
  channel.on('close', onEnd);
  const queue = await declareQueue(channel);
  const take = (message: ConsumeMessage | null): void => {
    const signal = message === null ? undefined : readSignal(message.content);
    if (signal !== undefined) onSignal(String(message?.properties.appId), signal);
  };
  await channel.consume(queue, take, { noAck: true });
  const asked = new Set<string>();
  const following = new Set<string>();
  const bind = async (topic: string): Promise<void> => {
    await channel.bindQueue(queue, names.hints, topic);
    following.add(topic);
    onFollowing(topic);
  };
  return {
    follow: (topic) => {
      if (asked.has(topic)) return;
      asked.add(topic);
      bind(topic).catch((error: unknown) => log.debug({ err: error, topic }, 'hints of a topic are not received'));
    },
    isFollowing: (topic) => following.has(topic),
  };
}

async function declareQueue(channel: Channel): Promise<string> {
  const { queue } = await channel.assertQueue('', {
    exclusive: true,
    autoDelete: true,
    durable: false,
    maxLength: unreadHintsMax,
  });
  return queue;
}

function readSignal(content: Buffer): HintSignal | undefined {
  try {
    const signal = signalShape.safeParse(JSON.parse(content.toString('utf8')));
    return signal.success ? signal.data : undefined;
  } catch {
    return undefined; // not one of ours
  }
}
