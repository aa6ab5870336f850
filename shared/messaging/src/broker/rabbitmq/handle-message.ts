import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from 'amqplib';
import type { Clock, Log } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import type { BrokerEvent, Delivery } from '../broker.js';
import { parseEnvelope, readBatch, readEnvelope } from '../envelope.js';
import { failureActionOf, type FailureAction } from '../failure-action.js';
import { batchType } from './batches.js';
import { attemptsOf, messageIdOf, parkHeaders, retryHeaders, typeOf } from './headers.js';
import type { Names } from './names.js';
import type { OutgoingMessage, Publisher } from './publisher.js';
import type { Slots } from './slots.js';

export type HandlingOptions = {
  readonly queue: string;
  readonly handler: (delivery: Delivery) => Promise<void>;
  readonly names: Names;
  readonly retryDelaysMs: readonly number[];
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** One envelope as it came, alone or in a batch. */
type Received = {
  /** Throws where it is not one of ours. */
  readonly read: () => Envelope;
  /** What a copy of it carries. */
  readonly content: () => Buffer;
  readonly messageId: string;
  readonly type: string;
  readonly attempts: number;
};

/** Before a message that could be put nowhere goes back to its queue, lest it circles at full speed. */
const requeuePauseMs = 1_000;

/** The slots are the consumer's own. */
export type Handling = HandlingOptions & { readonly slots: Slots };

/** Whether the message is done with here and may be acknowledged; otherwise it must come again. Never rejects. */
export async function handleMessage(options: Handling, message: Message): Promise<boolean> {
  if (typeOf(message) !== batchType) return handleInSlot(options, fromMessage(message));
  let members: readonly unknown[];
  try {
    members = readBatch(message.content);
  } catch (error) {
    return retryOrPark(options, fromMessage(message), failureActionOf(error, attemptsOf(message), options.retryDelaysMs), error);
  }
  // Each on its own: one that fails is retried alone, and its neighbours are done.
  const done = await Promise.all(members.map((member) => handleInSlot(options, fromBatch(member))));
  return done.every(Boolean);
}

/** The bytes stay as they came: what cannot be read here may still be read by a person. */
function fromMessage(message: Message): Received {
  return {
    read: () => readEnvelope(message.content),
    content: () => message.content,
    messageId: messageIdOf(message),
    type: typeOf(message),
    attempts: attemptsOf(message),
  };
}

const idAndTypeOf = (member: unknown): { readonly id?: unknown; readonly type?: unknown } =>
  typeof member === 'object' && member !== null ? member : {};

function fromBatch(member: unknown): Received {
  const { id, type } = idAndTypeOf(member);
  return {
    read: () => parseEnvelope(member),
    content: () => Buffer.from(JSON.stringify(member)),
    messageId: typeof id === 'string' ? id : 'unnamed',
    type: typeof type === 'string' ? type : '',
    attempts: 0,
  };
}

async function handleInSlot(options: Handling, received: Received): Promise<boolean> {
  return (await options.slots.run(() => handle(options, received))) ?? false;
}

async function handle(options: HandlingOptions, received: Received): Promise<boolean> {
  const { queue, handler, onEvent } = options;
  const { attempts, type } = received;
  try {
    await handler({ envelope: received.read(), attempts });
  } catch (error) {
    return retryOrPark(options, received, failureActionOf(error, attempts, options.retryDelaysMs), error);
  }
  onEvent({ kind: 'handled', queue, type });
  return true;
}

/** A copy goes to the next place and is durable there before the original is acknowledged; a crash between leaves both. */
async function retryOrPark(
  options: HandlingOptions,
  received: Received,
  action: FailureAction,
  cause: unknown,
): Promise<boolean> {
  const { queue, log, publisher, onEvent } = options;
  const { messageId, type } = received;
  const fields = { queue, messageId, type, attempts: action.attempts };
  const [failure] = await publisher.send([copyOf(options, received, action)]);
  if (failure !== undefined) {
    log.warn({ ...fields, err: failure, cause }, 'a failed message could not be retried or parked and is requeued');
    await pause(requeuePauseMs);
    return false;
  }
  if (action.kind === 'retry') {
    log.warn({ ...fields, err: cause, delayMs: action.delayMs }, 'message failed and will be retried');
    onEvent({ kind: 'retried', queue, type });
  } else {
    log.error({ ...fields, err: cause, reason: action.reason }, 'message parked');
    onEvent({ kind: 'parked', queue, type });
  }
  return true;
}

function copyOf({ queue, names, clock }: HandlingOptions, received: Received, action: FailureAction): OutgoingMessage {
  const isRetry = action.kind === 'retry';
  return {
    queue: isRetry ? names.retry(queue, action.delayMs) : names.parked(queue),
    content: received.content(),
    messageId: received.messageId,
    type: received.type,
    headers: isRetry ? retryHeaders(action.attempts) : parkHeaders(action.attempts, action.reason, clock.now()),
  };
}
