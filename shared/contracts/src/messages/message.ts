import type { z } from 'zod';
import type { ServiceName } from '../services/index.js';
import type { AggregateType } from './envelope.js';

export type MessageDeclaration<Payload extends z.ZodType = z.ZodType> = {
  /** Past tense for events; commands end in `_requested`, refusals in `_refused`, failures in `_failed`. */
  readonly type: string;
  readonly version: number;
  /** `public` ones are in the catalogue and go to the event stream. */
  readonly visibility: 'public' | 'internal';
  readonly aggregateType: AggregateType;
  readonly summary: string;
  /** One service owns what a message tells of; only audit facts are told by every one. */
  readonly publisher: ServiceName | readonly ServiceName[];
  readonly payload: Payload;
};

export type Payload<M extends MessageDeclaration> = z.infer<M['payload']>;

/** Declares a message once; publishers, consumers, the broker's topology and the event reference read this. */
export function message<P extends z.ZodType>(declaration: MessageDeclaration<P>): MessageDeclaration<P> {
  return declaration;
}

export function publishersOf({ publisher }: MessageDeclaration): readonly ServiceName[] {
  return typeof publisher === 'string' ? [publisher] : publisher;
}
