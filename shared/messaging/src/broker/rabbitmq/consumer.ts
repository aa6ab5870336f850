import type { Channel, ConsumeMessage } from 'amqplib';
import { createSemaphore, settlesWithin } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { Delivery } from '../broker.js';
import { trackHandlers, type RunningHandlers } from '../running-handlers.js';
import { createAcknowledgements, type Acknowledgements } from './acknowledgements.js';
import { attachOnce, type Attachment } from './attach-once.js';
import { guardChannel } from './channel-guard.js';
import { handleMessage, type Handling, type HandlingOptions } from './handle-message.js';
import type { Connection } from './connection-manager.js';

export type ConsumerOptions = HandlingOptions & {
  readonly prefetch: number;
  /** How long `stop` waits for running handlers. After that their messages are delivered again. */
  readonly drainTimeoutMs: number;
  readonly log: Log;
};

export type Consumer = Pick<Attachment, 'attach'> & {
  readonly stop: () => Promise<void>;
};

export type MessageHandler = (delivery: Delivery) => Promise<void>;

/** The state of one channel. AMQP requires a delivery to be acknowledged on the channel that delivered it. */
type Session = {
  readonly channel: Channel;
  readonly consumerTag: string;
  readonly acknowledgements: Acknowledgements;
  readonly expectClose: () => void;
};

type State = {
  readonly options: ConsumerOptions;
  readonly running: RunningHandlers;
  readonly handling: Handling;
  /** Deliveries that arrived after `stop` was called. */
  readonly receivedWhileStopping: { readonly acknowledgements: Acknowledgements; readonly message: ConsumeMessage }[];
  isStopping: boolean;
  session: Session | undefined;
};

const brokerTimeoutMs = 2_000;
/** Acknowledgements are batched, up to a quarter of the prefetch, so that the broker never runs out of credit to deliver. */
const acknowledgementDelayMs = 250;
const unacknowledgedShareMax = 0.25;

export function createConsumer(options: ConsumerOptions): Consumer {
  const state: State = {
    options,
    running: trackHandlers(),
    handling: { ...options, handlers: createSemaphore({ runningMax: options.prefetch }), isStopping: () => state.isStopping },
    receivedWhileStopping: [],
    isStopping: false,
    session: undefined,
  };
  const { attach, attached } = attachOnce({
    name: `consumer of ${options.queue}`,
    log: options.log,
    isStopping: () => state.isStopping,
    start: (connection) => start(state, connection),
  });
  let stopping: Promise<void> | undefined;
  return { attach, stop: () => (stopping ??= stop(state, attached)) };
}

async function start(state: State, connection: Connection): Promise<void> {
  const { queue, names, prefetch, log } = state.options;
  const channel = await connection.model.createChannel();
  const expectClose = guardChannel(channel, { connection, log, name: `consumer of ${queue}` });
  channel.on('close', () => {
    if (state.session?.channel === channel) state.session = undefined;
  });
  const acknowledgements = createAcknowledgements({
    channel,
    batchDelayMs: acknowledgementDelayMs,
    pendingMax: Math.max(1, prefetch * unacknowledgedShareMax),
    onFailure: (error) => log.debug({ err: error, queue }, 'messages could not be acknowledged'),
  });
  await channel.prefetch(prefetch);
  const { consumerTag } = await channel.consume(names.queue(queue), (message) => {
    if (message === null) connection.abort(`the broker ended the consumer of ${queue}`);
    else take(state, acknowledgements, message);
  });
  if (!state.isStopping) {
    state.session = { channel, consumerTag, acknowledgements, expectClose };
    return;
  }
  expectClose(); // `stop` reached its time limit before this channel was ready
  await channel.close();
}

function take(state: State, acknowledgements: Acknowledgements, message: ConsumeMessage): void {
  acknowledgements.track(message);
  if (state.isStopping) state.receivedWhileStopping.push({ acknowledgements, message });
  else state.running.add(handleAndAcknowledge(state, acknowledgements, message));
}

/** A message is acknowledged only after its handler, including the commit, is done. */
async function handleAndAcknowledge(state: State, acknowledgements: Acknowledgements, message: ConsumeMessage): Promise<void> {
  if (await handleMessage(state.handling, message)) acknowledgements.acknowledge(message);
  else acknowledgements.requeue(message);
}

/** Cancels the consumer, waits for running handlers, then closes the channel, which requeues every unacknowledged message. */
async function stop(state: State, attached: Attachment['attached']): Promise<void> {
  const { queue, drainTimeoutMs, log } = state.options;
  state.isStopping = true;
  await settlesWithin(attached(), brokerTimeoutMs);
  const { session } = state;
  if (session !== undefined) await settlesWithin(session.channel.cancel(session.consumerTag), brokerTimeoutMs);
  for (const { acknowledgements, message } of state.receivedWhileStopping.splice(0)) acknowledgements.requeue(message);
  if (!(await state.running.endWithin(drainTimeoutMs))) {
    log.warn(
      { queue, handlers: state.running.count(), drainTimeoutMs },
      'handlers still run; their messages will be delivered again',
    );
  }
  if (session === undefined) return;
  session.acknowledgements.flush();
  session.expectClose();
  await settlesWithin(session.channel.close(), brokerTimeoutMs);
}
