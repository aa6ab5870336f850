import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from 'amqplib';
import type { Semaphore } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { BrokerEvent, Delivery, ParkedStore } from '../broker.js';
import { readBatch } from '../envelope.js';
import { failureActionOf, type FailureAction, type RetryPolicy } from '../failure-action.js';
import { batchType } from './batches.js';
import { retryHeaders, typeOf } from './headers.js';
import type { Names } from './names.js';
import type { Publisher } from './publisher.js';
import { fromBatch, fromMessage, type Received } from './received.js';

export type HandlingOptions = RetryPolicy & {
  readonly queue: string;
  readonly parked: ParkedStore;
  readonly handler: (delivery: Delivery) => Promise<void>;
  readonly names: Names;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** The pause before a message is requeued that could neither be retried nor parked, so that it is not redelivered in a tight loop. */
const requeuePauseMs = 1_000;

export type Handling = HandlingOptions & {
  /** At most `prefetch` handlers of a consumer run at a time: the prefetch limit of AMQP counts a batch as one message. */
  readonly handlers: Semaphore;
  /** A message whose handler has not started by then is requeued. */
  readonly isStopping: () => boolean;
};

/** Resolves to true if the message may be acknowledged, and to false if it must be requeued. Never rejects. */
export async function handleMessage(options: Handling, message: Message): Promise<boolean> {
  if (typeOf(message) !== batchType) return handleInTurn(options, fromMessage(message));
  let members: readonly unknown[];
  try {
    members = readBatch(message.content);
  } catch (error) {
    const received = fromMessage(message);
    return retryOrPark(options, received, failureActionOf(error, received.attempts, options), error);
  }
  // Each member is handled on its own, so that a failed one is retried alone.
  const done = await Promise.all(members.map((member) => handleInTurn(options, fromBatch(member, message))));
  return done.every(Boolean);
}

function handleInTurn(options: Handling, received: Received): Promise<boolean> {
  return options.handlers.run(async () => !options.isStopping() && handle(options, received));
}

async function handle(options: Handling, received: Received): Promise<boolean> {
  const { queue, handler, parked, onEvent } = options;
  const { attempts, type, messageId, isRepeated } = received;
  try {
    await handler({ envelope: received.read(), attempts });
    if (isRepeated) await parked.removeHandled(messageId);
  } catch (error) {
    const action = failureActionOf(error, attempts, options);
    // A handler can fail because its process stops. Then the message is delivered again, and the attempt does not count.
    if (action.kind === 'retry' && options.isStopping()) return false;
    return retryOrPark(options, received, action, error);
  }
  onEvent({ kind: 'handled', queue, type });
  return true;
}

/**
 * The message is durable in its retry queue or in the store before the original is acknowledged. A crash in between leaves both,
 * which the inbox deduplicates.
 */
async function retryOrPark(
  options: HandlingOptions,
  received: Received,
  action: FailureAction,
  cause: unknown,
): Promise<boolean> {
  const { queue, log, onEvent } = options;
  const { messageId, type } = received;
  const fields = { queue, messageId, type, attempts: action.attempts };
  try {
    if (action.kind === 'retry') await sendToRetryQueue(options, received, action);
    else
      await options.parked.park({ messageId, type, body: received.content(), attempts: action.attempts, reason: action.reason });
  } catch (error) {
    log.warn({ ...fields, err: error, cause }, 'a failed message could not be retried or parked and is requeued');
    await pause(requeuePauseMs);
    return false;
  }
  if (action.kind === 'retry') {
    log.warn({ ...fields, err: cause, delayMs: action.delayMs }, 'message failed and will be retried');
    onEvent({ kind: action.isNewer === true ? 'newer_version' : 'retried', queue, type });
  } else {
    log.error({ ...fields, err: cause, reason: action.reason }, 'message parked');
    onEvent({ kind: 'parked', queue, type });
  }
  return true;
}

type Retry = Extract<FailureAction, { readonly kind: 'retry' }>;

async function sendToRetryQueue({ queue, names, publisher }: HandlingOptions, received: Received, action: Retry): Promise<void> {
  const copy = {
    queue: names.retry(queue, action.delayMs),
    content: received.content(),
    messageId: received.messageId,
    type: received.type,
    headers: retryHeaders(action.attempts),
  };
  const [failure] = await publisher.send([copy]);
  if (failure !== undefined) throw failure;
}
