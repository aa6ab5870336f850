import { createHash } from 'node:crypto';
import type { Message } from 'amqplib';
import { toInstant } from '@holdfast/kernel/context';

const attemptsHeader = 'holdfast-attempts';
const reasonHeader = 'holdfast-reason';
const parkedAtHeader = 'holdfast-parked-at';

export type Headers = Readonly<Record<string, string | number>>;

export function retryHeaders(attempts: number): Headers {
  return { [attemptsHeader]: attempts };
}

export function parkHeaders(attempts: number, reason: string, parkedAt: string): Headers {
  return { [attemptsHeader]: attempts, [reasonHeader]: reason, [parkedAtHeader]: parkedAt };
}

/** How often a handler has failed on this message. */
export function attemptsOf(message: Message): number {
  const attempts = headerOf(message, attemptsHeader);
  return typeof attempts === 'number' && Number.isSafeInteger(attempts) && attempts >= 0 ? attempts : 0;
}

/** A message that RabbitMQ dead-lettered itself, at the delivery limit, has the reason in `x-first-death-reason`. */
export function reasonOf(message: Message): string {
  const reason = headerOf(message, reasonHeader);
  if (typeof reason === 'string') return reason;
  const death = message.properties.headers?.['x-first-death-reason'];
  return death === undefined ? 'unknown' : `parked by the broker: ${death}`;
}

/** A message that RabbitMQ dead-lettered itself has the time in `x-death`, in whole seconds. */
export function parkedAtOf(message: Message): string {
  const parkedAt = headerOf(message, parkedAtHeader);
  if (typeof parkedAt === 'string') return parkedAt;
  const death = message.properties.headers?.['x-death']?.[0];
  return death === undefined ? '' : toInstant(death.time.value * 1_000);
}

/** A message without an id gets a hash of its content, so that it can be redriven by id. */
export function messageIdOf({ properties, content }: Message): string {
  const id: unknown = properties.messageId;
  if (typeof id === 'string' && id !== '') return id;
  return `unnamed-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
}

export function typeOf({ properties }: Message): string {
  const type: unknown = properties.type;
  return typeof type === 'string' ? type : '';
}

function headerOf(message: Message, name: string): unknown {
  const headers: Readonly<Record<string, unknown>> = message.properties.headers ?? {};
  return headers[name];
}
