import type { z } from 'zod';
import type { ServiceName } from '../services/index.js';
import type { AggregateType } from './envelope.js';

export type MessageDeclaration<Payload extends z.ZodType = z.ZodType, Type extends string = string> = {
  /** Past tense for events; commands end in `_requested`, refusals in `_refused`, failures in `_failed`. */
  readonly type: Type;
  readonly version: number;
  /** Public messages are in the event stream and in the API reference. */
  readonly visibility: 'public' | 'internal';
  readonly aggregateType: AggregateType;
  readonly summary: string;
  /** The service that owns the aggregate. Only audit entries have several publishers. */
  readonly publisher: ServiceName | readonly ServiceName[];
  /** The publisher repeats it until every consumer has acknowledged it. For messages that no saga run resends. */
  readonly acknowledged?: true;
  readonly payload: Payload;
};

export type Payload<M extends MessageDeclaration> = z.infer<M['payload']>;

/** Declares a message. Publishers, consumers, RabbitMQ topology and API reference read the declaration. */
export function message<P extends z.ZodType, const Type extends string>(
  declaration: MessageDeclaration<P, Type>,
): MessageDeclaration<P, Type> {
  return declaration;
}

export function publishersOf({ publisher }: MessageDeclaration): readonly ServiceName[] {
  return typeof publisher === 'string' ? [publisher] : publisher;
}
