import type { z } from 'zod';
import type { Context } from '../context/index.js';
import type { Envelope, MessageDeclaration } from '../contracts/messages/index.js';

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
