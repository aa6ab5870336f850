import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from 'amqplib';
import type { Clock, Log } from '../../context/index.js';
import type { BrokerEvent, Delivery } from '../broker.js';
import { parseEnvelope } from '../envelope.js';
import { judgeFailure, type Verdict } from '../failure.js';
import { attemptsOf, messageIdOf, parkHeaders, retryHeaders, typeOf } from './headers.js';
import type { Names } from './names.js';
import type { Outgoing, Publisher } from './publisher.js';

export type HandlingOptions = {
  readonly queue: string;
  readonly handler: (delivery: Delivery) => Promise<void>;
  readonly names: Names;
  readonly ladderMs: readonly number[];
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** Before a message that could be put nowhere goes back to its queue, lest it circles at full speed. */
const requeuePauseMs = 1_000;

/** Whether the message is done with here and may be acknowledged; otherwise it must come again. Never rejects. */
export async function handleMessage(options: HandlingOptions, message: Message): Promise<boolean> {
  const { queue, handler, onEvent } = options;
  const attempts = attemptsOf(message);
  try {
    await handler({ envelope: parseEnvelope(message.content), attempts });
  } catch (error) {
    return moveOn(options, message, judgeFailure(error, attempts, options.ladderMs), error);
  }
  onEvent({ kind: 'handled', queue, type: typeOf(message) });
  return true;
}

/** A copy goes to the next place and is durable there before the original is acknowledged; a crash between leaves both. */
async function moveOn(options: HandlingOptions, message: Message, verdict: Verdict, cause: unknown): Promise<boolean> {
  const { queue, log, publisher, onEvent } = options;
  const type = typeOf(message);
  const fields = { queue, messageId: messageIdOf(message), type, attempts: verdict.attempts };
  const [failure] = await publisher.send([copyOf(options, message, verdict)]);
  if (failure !== undefined) {
    log.warn({ ...fields, err: failure, cause }, 'a failed message could not be moved on and goes back to its queue');
    await pause(requeuePauseMs);
    return false;
  }
  if (verdict.kind === 'retry') {
    log.warn({ ...fields, err: cause, delayMs: verdict.delayMs }, 'message failed and will be tried again');
    onEvent({ kind: 'retried', queue, type });
  } else {
    log.error({ ...fields, err: cause, reason: verdict.reason }, 'message parked');
    onEvent({ kind: 'parked', queue, type });
  }
  return true;
}

/** The bytes stay as they came: what cannot be read here may still be read by a person. */
function copyOf({ queue, names, clock }: HandlingOptions, message: Message, verdict: Verdict): Outgoing {
  const isRetry = verdict.kind === 'retry';
  return {
    exchange: '',
    routingKey: isRetry ? names.retry(queue, verdict.delayMs) : names.parked(queue),
    content: message.content,
    messageId: messageIdOf(message),
    type: typeOf(message),
    headers: isRetry ? retryHeaders(verdict.attempts) : parkHeaders(verdict.attempts, verdict.reason, clock.now()),
  };
}
