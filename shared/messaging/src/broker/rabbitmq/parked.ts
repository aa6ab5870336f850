import type { Channel, GetMessage } from 'amqplib';
import { settlesWithin } from '@holdfast/kernel/async';
import { AppError } from '@holdfast/kernel/errors';
import { PublishFailed, type ParkedMessage } from '../broker.js';
import { readableBody } from '../envelope.js';
import { attemptsOf, messageIdOf, parkedAtOf, reasonOf, typeOf } from './headers.js';
import type { Connection } from './connection-manager.js';
import type { Names } from './names.js';
import type { OutgoingMessage, Publisher } from './publisher.js';

export type ParkedOptions = {
  readonly names: Names;
  readonly publisher: Publisher;
  readonly connection: () => Connection | undefined;
};

const listMax = 1_000;
/** The maximum number of messages that one call moves. */
const redriveMax = 10_000;
const batchMax = 100;
const closeTimeoutMs = 2_000;

/** Gets the messages and requeues them. Until then they are invisible to another call. */
export async function listParked(options: ParkedOptions, queue: string, limitMax: number): Promise<readonly ParkedMessage[]> {
  return withChannel(options, async (channel) => {
    const messages = await fetch(channel, options.names.parked(queue), Math.min(limitMax, listMax));
    return messages.map((message) => toParked(queue, message));
  });
}

/**
 * Each message is confirmed in its queue before it is acknowledged in the parked queue, so that a crash at worst duplicates it. A
 * message that is parked again during the call is skipped, because the call would otherwise never end.
 */
export async function redriveParked(options: ParkedOptions, queue: string, messageIds?: readonly string[]): Promise<number> {
  const wanted = messageIds === undefined ? undefined : new Set(messageIds);
  const seen = new Set<string>();
  const isDue = (message: GetMessage): boolean => {
    const id = messageIdOf(message);
    if (seen.has(id)) return false;
    seen.add(id);
    return wanted === undefined || wanted.has(id);
  };
  return withChannel(options, async (channel) => {
    let redriven = 0;
    while (seen.size < redriveMax) {
      const batch = await fetch(channel, options.names.parked(queue), batchMax);
      if (batch.length === 0) break;
      redriven += await republish(options, queue, channel, batch.filter(isDue));
    }
    return redriven;
  });
}

async function republish(
  options: ParkedOptions,
  queue: string,
  channel: Channel,
  messages: readonly GetMessage[],
): Promise<number> {
  const outcomes = await options.publisher.send(messages.map((message) => copyWithoutAttempts(options.names, queue, message)));
  messages.forEach((message, index) => {
    if (outcomes[index] === undefined) channel.ack(message);
  });
  const failed = messages.filter((_, index) => outcomes[index] !== undefined);
  if (failed.length === 0) return messages.length;
  const cause = outcomes.find((outcome) => outcome !== undefined);
  throw new PublishFailed('some parked messages could not be redriven and stay parked', failed.map(messageIdOf), { cause });
}

function copyWithoutAttempts(names: Names, queue: string, message: GetMessage): OutgoingMessage {
  return {
    queue: names.queue(queue),
    content: message.content,
    messageId: messageIdOf(message),
    type: typeOf(message),
  };
}

async function fetch(channel: Channel, queue: string, countMax: number): Promise<readonly GetMessage[]> {
  const messages: GetMessage[] = [];
  while (messages.length < countMax) {
    const message = await channel.get(queue);
    if (message === false) break;
    messages.push(message);
  }
  return messages;
}

async function withChannel<T>({ connection }: ParkedOptions, work: (channel: Channel) => Promise<T>): Promise<T> {
  const current = connection();
  if (current === undefined) throw new AppError('SERVICE_UNAVAILABLE', { part: 'broker' });
  const channel = await current.model.createChannel();
  channel.on('error', () => undefined); // the call that caused it rejects with the same error
  try {
    return await work(channel);
  } finally {
    await settlesWithin(requeueAll(channel), closeTimeoutMs);
  }
}

/** Closing the channel would also requeue the messages, but only later. */
async function requeueAll(channel: Channel): Promise<void> {
  channel.nackAll(true);
  await channel.close();
}

function toParked(queue: string, message: GetMessage): ParkedMessage {
  return {
    queue,
    messageId: messageIdOf(message),
    type: typeOf(message),
    attempts: attemptsOf(message),
    parkedAt: parkedAtOf(message),
    reason: reasonOf(message),
    body: readableBody(message.content.toString()),
  };
}
