import { z } from 'zod';
import { scopes, type Context, type Log } from '@holdfast/kernel/context';
import { type Clock } from '@holdfast/kernel/instants';
import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import { inCausedSpan, type CausedWork } from '@holdfast/observability';
import { hasOnlyUnknownFields, NewerVersionError, NonRetryableError, type Delivery } from '../broker/index.js';

/** A declared message with its handler. */
export type MessageConsumer = {
  readonly declaration: MessageDeclaration;
  /** The saga in which the message is handled. Without one the message is handled in every saga and outside of them. */
  readonly saga?: string;
  /** The step of the saga. */
  readonly step?: string;
  /** A method, because method parameters are bivariant: handlers of every payload type are assignable. */
  run(message: Envelope, ctx: Context): Promise<unknown>;
};

export type DeliveryDeps = {
  readonly service: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after the handler has committed. */
  readonly onHandled?: (consumer: MessageConsumer, envelope: Envelope) => void;
};

/**
 * Dispatches the deliveries of a service's queue: finds the consumer, parses the payload, and builds the context of the first request.
 * Each message is handled in its own span, also when handlers share a commit.
 */
export function deliverTo(consumers: readonly MessageConsumer[], deps: DeliveryDeps): (delivery: Delivery) => Promise<void> {
  const consumerOf = dispatch(consumers);
  const handle = async (envelope: Envelope): Promise<void> => {
    const consumer = consumerOf(envelope);
    if (consumer === undefined) {
      throw new NewerVersionError(`${deps.service} has no handler for ${keyOf(envelope.type, envelope.saga)}`, envelope);
    }
    assertVersion(consumer.declaration, envelope);
    const payload = parsePayload(consumer.declaration, envelope);
    await consumer.run({ ...envelope, payload }, toContext(envelope, deps));
    deps.onHandled?.(consumer, envelope);
  };
  return ({ envelope, attempts }) => inCausedSpan(spanOf(envelope, attempts, deps), () => handle(envelope));
}

function spanOf(
  { id, type, saga, sagaRunId, correlationId, traceparent }: Envelope,
  attempts: number,
  deps: DeliveryDeps,
): CausedWork {
  return {
    kind: 'consumer',
    name: `process ${type}`,
    traceparent,
    attributes: {
      'messaging.operation.type': 'process',
      'messaging.destination.name': deps.service,
      'messaging.message.id': id,
      'holdfast.service': deps.service,
      'holdfast.request_id': correlationId,
      'holdfast.attempts': attempts,
      ...(saga === undefined ? {} : { 'holdfast.saga': saga }),
      ...(sagaRunId === undefined ? {} : { 'holdfast.saga_run_id': sagaRunId }),
    },
  };
}

/** Dispatches by message and saga, because sagas share messages. Throws if two handlers are bound to the same pair. */
function dispatch(consumers: readonly MessageConsumer[]): (envelope: Envelope) => MessageConsumer | undefined {
  const byKey = new Map<string, MessageConsumer>();
  for (const consumer of consumers) {
    const key = keyOf(consumer.declaration.type, consumer.saga);
    const known = byKey.get(key);
    if (known !== undefined && known.run !== consumer.run) throw new Error(`${key} has two handlers.`);
    byKey.set(key, consumer);
  }
  return ({ type, saga }) => byKey.get(keyOf(type, saga)) ?? byKey.get(keyOf(type));
}

function keyOf(type: string, saga?: string): string {
  return `${type} ${saga === undefined ? 'outside of sagas' : `in the saga ${saga}`}`;
}

/** During a rollout a later delivery may reach a replica that knows a newer version; an older one is retried like any failure. */
function assertVersion({ type, version }: MessageDeclaration, envelope: Envelope): void {
  if (envelope.version === version) return;
  const reason = `${type} has version ${envelope.version}; this process supports version ${version}.`;
  throw envelope.version > version ? new NewerVersionError(reason, envelope) : new Error(reason);
}

function parsePayload({ type, payload }: MessageDeclaration, envelope: Envelope): unknown {
  const parsed = payload.safeParse(envelope.payload);
  if (parsed.success) return parsed.data;
  const reason = `the payload breaks the contract of ${type}: ${z.prettifyError(parsed.error)}`;
  if (hasOnlyUnknownFields(parsed.error)) throw new NewerVersionError(reason, envelope);
  throw new NonRetryableError(reason, { cause: parsed.error });
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
