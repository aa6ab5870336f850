import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { Log } from '../../context/index.js';
import type { Delivery } from '../broker.js';
import { trackHandlers, type RunningHandlers } from '../running-handlers.js';
import { endsWithin } from '../time-limit.js';
import { guardChannel } from './channel-guard.js';
import { handleMessage, type Handling, type HandlingOptions } from './handle-message.js';
import { dropConnection } from './link.js';
import { createSlots } from './slots.js';

export type ConsumerOptions = HandlingOptions & {
  readonly prefetch: number;
  /** How long stopping waits for handlers that still run. Their messages are delivered again after that. */
  readonly drainTimeoutMs: number;
  readonly log: Log;
};

export type Consumer = {
  /** Consumes through this connection from now on. Never rejects: a connection on which that fails is dropped. */
  readonly attach: (connection: ChannelModel) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type MessageHandler = (delivery: Delivery) => Promise<void>;

/** One channel's life. A message is answered on the channel it came through, or not at all. */
type Session = {
  readonly channel: Channel;
  readonly consumerTag: string;
  readonly wantEnd: () => void;
};

type State = {
  readonly options: ConsumerOptions;
  readonly running: RunningHandlers;
  readonly handling: Handling;
  /** What arrived after stopping began. */
  readonly unwanted: { readonly channel: Channel; readonly message: ConsumeMessage }[];
  isStopping: boolean;
  attachedTo: ChannelModel | undefined;
  attaching: Promise<void>;
  session: Session | undefined;
};

const answerTimeoutMs = 2_000;

export function createConsumer(options: ConsumerOptions): Consumer {
  const state: State = {
    options,
    running: trackHandlers(),
    handling: { ...options, slots: createSlots(options.prefetch) },
    unwanted: [],
    isStopping: false,
    attachedTo: undefined,
    attaching: Promise.resolve(),
    session: undefined,
  };
  let stopping: Promise<void> | undefined;
  return {
    attach: (connection) => {
      if (state.isStopping || state.attachedTo === connection) return state.attaching;
      state.attachedTo = connection;
      state.attaching = attach(state, connection).catch((error: unknown) => {
        options.log.warn({ err: error, queue: options.queue }, 'consuming could not begin');
        dropConnection(connection, `consuming ${options.queue} could not begin`);
      });
      return state.attaching;
    },
    stop: () => (stopping ??= stop(state)),
  };
}

async function attach(state: State, connection: ChannelModel): Promise<void> {
  const { queue, names, prefetch, log } = state.options;
  const channel = await connection.createChannel();
  const wantEnd = guardChannel(channel, { connection, log, name: `consumer of ${queue}` });
  channel.on('close', () => {
    if (state.session?.channel === channel) state.session = undefined;
  });
  await channel.prefetch(prefetch);
  const { consumerTag } = await channel.consume(names.queue(queue), (message) => {
    if (message === null) dropConnection(connection, `the broker ended the consumer of ${queue}`);
    else take(state, channel, message);
  });
  if (!state.isStopping) {
    state.session = { channel, consumerTag, wantEnd };
    return;
  }
  wantEnd(); // stopping did not wait for us
  await channel.close();
}

function take(state: State, channel: Channel, message: ConsumeMessage): void {
  if (state.isStopping) state.unwanted.push({ channel, message });
  else state.running.add(handleAndAnswer(state, channel, message));
}

async function handleAndAnswer(state: State, channel: Channel, message: ConsumeMessage): Promise<void> {
  const isDone = await handleMessage(state.handling, message);
  answer(state, channel, () => (isDone ? channel.ack(message) : channel.nack(message)));
}

/** Where the channel has ended meanwhile, the broker delivers the message again. */
function answer(state: State, channel: Channel, send: () => void): void {
  try {
    send();
  } catch (error) {
    state.options.log.debug(
      { err: error, queue: state.options.queue, isCurrent: state.session?.channel === channel },
      'a message could not be answered',
    );
  }
}

/** First no new messages, then the end of running handlers, then the channel: closing it gives back what is unanswered. */
async function stop(state: State): Promise<void> {
  const { queue, drainTimeoutMs, log } = state.options;
  state.isStopping = true;
  state.handling.slots.close();
  await endsWithin(state.attaching, answerTimeoutMs);
  const { session } = state;
  if (session !== undefined) await endsWithin(session.channel.cancel(session.consumerTag), answerTimeoutMs);
  for (const { channel, message } of state.unwanted.splice(0)) answer(state, channel, () => channel.nack(message));
  if (!(await state.running.endWithin(drainTimeoutMs))) {
    log.warn(
      { queue, handlers: state.running.count(), drainTimeoutMs },
      'handlers still run; their messages will be delivered again',
    );
  }
  if (session === undefined) return;
  session.wantEnd();
  await endsWithin(session.channel.close(), answerTimeoutMs);
}
