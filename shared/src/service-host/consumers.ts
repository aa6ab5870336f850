import type { z } from 'zod';
import type { Context } from '../context/index.js';
import { topologyOf } from '../broker/index.js';
import { allMessages, type Envelope, type MessageDeclaration } from '../contracts/messages/index.js';
import type { ServiceName } from '../contracts/services/index.js';

/**
 * A declared message with the code that acts on it. The handler commits the inbox row (the message's id) and its effect
 * together; when it resolves, the message is acknowledged.
 */
export type BoundConsumer = {
  readonly declaration: MessageDeclaration;
  /** Written as a method so that handlers of every payload fit. */
  run(message: Envelope, ctx: Context): Promise<void>;
};

/** Binds a declared message to its handler. The payload has been parsed by the declaration's schema by then. */
export function on<P extends z.ZodType>(
  declaration: MessageDeclaration<P>,
  handler: (message: Envelope<z.output<P>>, ctx: Context) => Promise<void>,
): BoundConsumer {
  return { declaration, run: handler };
}

/** A message that is declared to be heard here and is not would be parked, one after the other, long after the mistake. */
export function refuseForgottenMessages(service: ServiceName, consumers: readonly BoundConsumer[]): void {
  const bound = new Set(consumers.map(({ declaration }) => declaration.type));
  const declared = topologyOf(allMessages, [service]).queues.flatMap(({ types }) => types);
  const forgotten = declared.filter((type) => !bound.has(type));
  if (forgotten.length === 0) return;
  throw new Error(`${service} is declared to listen to ${forgotten.join(', ')}, and nothing in it does.`);
}
