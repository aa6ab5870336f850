import { z } from 'zod';
import { PoisonMessage, type Delivery } from '../broker/index.js';
import { scopes, type Clock, type Context, type Log } from '../context/index.js';
import { envelopeOf, type Envelope, type MessageDeclaration } from '../contracts/messages/index.js';

/** A declared message with the code that acts on it. */
export type MessageConsumer = {
  readonly declaration: MessageDeclaration;
  /** Written as a method so that handlers of every payload fit. */
  run(message: Envelope, ctx: Context): Promise<void>;
};

export type DeliveryDeps = { readonly service: string; readonly clock: Clock; readonly log: Log };

/** What a service's queue is given to: finds the consumer, parses the payload, and makes the context of the request that began it. */
export function deliverTo(consumers: readonly MessageConsumer[], deps: DeliveryDeps): (delivery: Delivery) => Promise<void> {
  const byType = new Map(consumers.map((consumer) => [consumer.declaration.type, consumer]));
  return async ({ envelope }) => {
    const consumer = byType.get(envelope.type);
    if (consumer === undefined) throw new PoisonMessage(`nobody in ${deps.service} listens to ${envelope.type}`);
    refuseOtherVersion(consumer.declaration, envelope);
    await consumer.run(envelopeOf(envelope, parsePayload(consumer.declaration, envelope)), toContext(envelope, deps));
  };
}

/** Not poison: while a new version is rolled out, the retry ladder may bring it to a replica that understands it. */
function refuseOtherVersion({ type, version }: MessageDeclaration, envelope: Envelope): void {
  if (envelope.version === version) return;
  throw new Error(`${type} has version ${envelope.version}, and version ${version} is understood here.`);
}

function parsePayload({ type, payload }: MessageDeclaration, envelope: Envelope): unknown {
  const parsed = payload.safeParse(envelope.payload);
  if (parsed.success) return parsed.data;
  throw new PoisonMessage(`the payload breaks the contract of ${type}: ${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
  });
}

function toContext(envelope: Envelope, { service, clock, log }: DeliveryDeps): Context {
  const { id, type, correlationId, marketplaceId } = envelope;
  return {
    requestId: correlationId,
    caller: { type: 'system', id: service, marketplaceId, scopes },
    at: clock.now(),
    log: log.child({ requestId: correlationId, messageId: id, messageType: type }),
  };
}
