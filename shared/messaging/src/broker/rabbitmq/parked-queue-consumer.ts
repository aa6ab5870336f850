import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, ConsumeMessage } from 'amqplib';
import { settlesWithin } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { BrokerEvent, ParkedStore } from '../broker.js';
import { readBatch } from '../envelope.js';
import { trackHandlers, type RunningHandlers } from '../running-handlers.js';
import { attachOnce, type Attachment } from './attach-once.js';
import { batchType } from './batches.js';
import { guardChannel } from './channel-guard.js';
import type { Connection } from './connection-manager.js';
import type { Consumer } from './consumer.js';
import { deathReasonOf, typeOf } from './headers.js';
import type { Names } from './names.js';
import { fromBatch, fromMessage, type Received } from './received.js';

export type ParkedQueueOptions = {
  readonly queue: string;
  readonly parked: ParkedStore;
  readonly names: Names;
  readonly log: Log;
  readonly onEvent: (event: BrokerEvent) => void;
};

type Session = { readonly channel: Channel; readonly expectClose: () => void };

type State = {
  readonly options: ParkedQueueOptions;
  readonly running: RunningHandlers;
  session: Session | undefined;
  isStopping: boolean;
};

const prefetch = 10;
const stopTimeoutMs = 2_000;
const requeuePauseMs = 1_000;

/**
 * Moves the messages that RabbitMQ itself has dead-lettered, at the delivery limit, to the parked messages of the service. Without
 * a running service they stay in the parked queue.
 */
export function createParkedQueueConsumer(options: ParkedQueueOptions): Consumer {
  const state: State = {
    options,
    running: trackHandlers(),
    session: undefined,
    isStopping: false,
  };
  const { attach, attached } = attachOnce({
    name: `consumer of the parked queue of ${options.queue}`,
    log: options.log,
    isStopping: () => state.isStopping,
    start: (connection) => start(state, connection),
  });
  let stopping: Promise<void> | undefined;
  return { attach, stop: () => (stopping ??= stop(state, attached)) };
}

async function start(state: State, connection: Connection): Promise<void> {
  const { queue, names, log } = state.options;
  const channel = await connection.model.createChannel();
  const expectClose = guardChannel(channel, { connection, log, name: `consumer of the parked queue of ${queue}` });
  channel.on('close', () => {
    if (state.session?.channel === channel) state.session = undefined;
  });
  state.session = { channel, expectClose };
  await channel.prefetch(prefetch);
  await channel.consume(names.parked(queue), (message) => {
    if (message === null) connection.abort(`the broker ended the consumer of the parked queue of ${queue}`);
    else if (!state.isStopping) state.running.add(parkOrRequeue(state, channel, message));
  });
}

/** Never rejects. The message is acknowledged once it is stored; a crash in between stores it again. */
async function parkOrRequeue({ options }: State, channel: Channel, message: ConsumeMessage): Promise<void> {
  const { queue, log } = options;
  try {
    await parkAll(options, message);
    channel.ack(message);
  } catch (error) {
    log.warn({ err: error, queue }, 'a dead-lettered message could not be parked and is requeued');
    await pause(requeuePauseMs);
    requeue(channel, message);
  }
}

async function parkAll({ queue, parked, log, onEvent }: ParkedQueueOptions, message: ConsumeMessage): Promise<void> {
  const reason = `parked by the broker: ${deathReasonOf(message)}`;
  for (const { messageId, type, attempts, content } of membersOf(message)) {
    await parked.park({ messageId, type, body: content(), attempts, reason });
    log.error({ queue, messageId, type, attempts, reason }, 'message parked');
    onEvent({ kind: 'parked', queue, type });
  }
}

/** A batch that cannot be parsed is parked as a whole. */
function membersOf(message: ConsumeMessage): readonly Received[] {
  if (typeOf(message) !== batchType) return [fromMessage(message)];
  try {
    return readBatch(message.content).map((member) => fromBatch(member, message));
  } catch {
    return [fromMessage(message)];
  }
}

/** A channel that was closed meanwhile has requeued the message itself. */
function requeue(channel: Channel, message: ConsumeMessage): void {
  try {
    channel.nack(message);
  } catch {
    // The channel is closed.
  }
}

async function stop(state: State, attached: Attachment['attached']): Promise<void> {
  state.isStopping = true;
  await settlesWithin(attached(), stopTimeoutMs);
  await state.running.endWithin(stopTimeoutMs);
  const { session } = state;
  if (session === undefined) return;
  session.expectClose();
  await settlesWithin(session.channel.close(), stopTimeoutMs);
}
