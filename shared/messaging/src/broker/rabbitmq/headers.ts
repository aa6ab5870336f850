import { createHash } from 'node:crypto';
import type { Message } from 'amqplib';
import { repeated, type Publishing } from '../broker.js';

const attemptsHeader = 'holdfast-attempts';
const repeatedHeader = 'holdfast-repeated';

export type Headers = Readonly<Record<string, number | boolean>>;

export function publishHeaders({ isRepeated }: Publishing): Headers {
  return { [repeatedHeader]: isRepeated };
}

export function retryHeaders(attempts: number): Headers {
  return { [attemptsHeader]: attempts, ...publishHeaders(repeated) };
}

/**
 * Whether the message may have been delivered before. A message whose header is absent or nonsense is repeated: other programs and
 * older versions publish without it.
 */
export function isRepeated(message: Message): boolean {
  return message.fields.redelivered || headerOf(message, repeatedHeader) !== false;
}

/** How often a handler has failed on this message. */
export function attemptsOf(message: Message): number {
  const attempts = headerOf(message, attemptsHeader);
  return typeof attempts === 'number' && Number.isSafeInteger(attempts) && attempts >= 0 ? attempts : 0;
}

/** Why RabbitMQ dead-lettered the message: for example `delivery_limit`. */
export function deathReasonOf(message: Message): string {
  return message.properties.headers?.['x-first-death-reason'] ?? 'unknown';
}

const idPattern = /^[\x20-\x7e]{1,200}$/;
const typeCharactersMax = 200;

/** An id that cannot be stored is replaced by a hash of the content, so that the message can be parked and redriven by id. */
export function storableId(id: unknown, content: () => Buffer): string {
  if (typeof id === 'string' && idPattern.test(id)) return id;
  return `unnamed-${createHash('sha256').update(content()).digest('hex').slice(0, 32)}`;
}

/** A Postgres text column cannot hold a zero byte. */
export function storableType(type: unknown): string {
  return typeof type === 'string' ? type.replaceAll('\0', '').slice(0, typeCharactersMax) : '';
}

export function typeOf({ properties }: Message): string {
  const type: unknown = properties.type;
  return typeof type === 'string' ? type : '';
}

function headerOf(message: Message, name: string): unknown {
  const headers: Readonly<Record<string, unknown>> = message.properties.headers ?? {};
  return headers[name];
}
