import { randomUUID } from 'node:crypto';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { z } from 'zod';
import type { Log } from '../../context/index.js';
import type { Hint } from '../broker.js';
import { createLocalHints } from '../local-hints.js';
import { guardChannel } from './channel-guard.js';
import type { Names } from './names.js';

export type Hints = {
  readonly broadcast: (hint: Hint) => void;
  readonly onBroadcast: (listener: (hint: Hint) => void) => () => void;
  readonly attachSender: (connection: ChannelModel) => Promise<void>;
  readonly attachReceiver: (connection: ChannelModel) => Promise<void>;
};

type Sender = { readonly channel: Channel; isFull: boolean };

/** A process that does not keep up loses the oldest hints: they are only a way to be quicker than the poll. */
const unreadHintsMax = 10_000;
const hintShape = z.object({ topic: z.string().max(200), key: z.string().max(500) });

/** Hints reach listeners of this process at once and those of others through the broker. */
export function createHints(names: Names, log: Log): Hints {
  const origin = randomUUID();
  const local = createLocalHints(log);
  let sender: Sender | undefined;
  return {
    broadcast: (hint) => {
      local.tell(hint);
      if (sender !== undefined) sendHint(sender, names, origin, hint);
    },
    onBroadcast: local.listen,
    attachSender: async (connection) => {
      const mine = await openSender(connection, log);
      mine.channel.on('close', () => {
        if (sender === mine) sender = undefined;
      });
      sender = mine;
    },
    attachReceiver: (connection) =>
      openReceiver(connection, names, log, (message) => {
        if (message.properties.appId !== origin) tellOthers(message, local.tell);
      }),
  };
}

/** While the broker takes nothing, hints are dropped rather than kept. */
async function openSender(connection: ChannelModel, log: Log): Promise<Sender> {
  const channel = await connection.createChannel();
  guardChannel(channel, { connection, log, name: 'sender of hints' });
  const sender: Sender = { channel, isFull: false };
  channel.on('drain', () => {
    sender.isFull = false;
  });
  return sender;
}

function sendHint(sender: Sender, names: Names, origin: string, hint: Hint): void {
  if (sender.isFull) return;
  try {
    const content = Buffer.from(JSON.stringify(hint));
    sender.isFull = !sender.channel.publish(names.hints, '', content, { persistent: false, appId: origin });
  } catch {
    // The channel has just ended. The hint is lost, as hints may be.
  }
}

/** The queue belongs to this connection and goes with it. */
async function openReceiver(
  connection: ChannelModel,
  names: Names,
  log: Log,
  onMessage: (message: ConsumeMessage) => void,
): Promise<void> {
  const channel = await connection.createChannel();
  guardChannel(channel, { connection, log, name: 'receiver of hints' });
  const { queue } = await channel.assertQueue('', {
    exclusive: true,
    autoDelete: true,
    durable: false,
    maxLength: unreadHintsMax,
  });
  await channel.bindQueue(queue, names.hints, '');
  const take = (message: ConsumeMessage | null): void => {
    if (message !== null) onMessage(message);
  };
  await channel.consume(queue, take, { noAck: true });
}

function tellOthers(message: ConsumeMessage, tell: (hint: Hint) => void): void {
  const hint = hintShape.safeParse(parseJson(message.content));
  if (hint.success) tell(hint.data);
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined; // not one of ours
  }
}
