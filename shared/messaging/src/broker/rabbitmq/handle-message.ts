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

/** One received envelope, sent alone or in a batch. */
type Received = {
  /** Throws if the content is not a valid envelope. */
  readonly read: () => Envelope;
  /** The body of a copy for a retry queue or the parked queue. */
  readonly content: () => Buffer;
  readonly messageId: string;
  readonly type: string;
  readonly attempts: number;
};

/** The pause before a message is requeued whose copy could not be published, so that it is not redelivered in a tight loop. */
const requeuePauseMs = 1_000;

/** The slots belong to one consumer. */
export type Handling = HandlingOptions & { readonly slots: Slots };

/** Resolves to true if the message may be acknowledged, and to false if it must be requeued. Never rejects. */
export async function handleMessage(options: Handling, message: Message): Promise<boolean> {
  if (typeOf(message) !== batchType) return handleInSlot(options, fromMessage(message));
  let members: readonly unknown[];
  try {
    members = readBatch(message.content);
  } catch (error) {
    return retryOrPark(options, fromMessage(message), failureActionOf(error, attemptsOf(message), options.retryDelaysMs), error);
  }
  // Each member is handled on its own, so that a failed one is retried alone.
  const done = await Promise.all(members.map((member) => handleInSlot(options, fromBatch(member))));
  return done.every(Boolean);
}

/** A copy has the original bytes, so that an operator sees a body that cannot be parsed. */
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

/** The copy is confirmed before the original is acknowledged. A crash in between leaves both, which the inbox deduplicates. */
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
