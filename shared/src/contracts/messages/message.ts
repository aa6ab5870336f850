import type { z } from 'zod';
import type { Instant } from '../../context/index.js';
import type { MarketplaceId, MessageId, SagaRunId } from '../../ids/index.js';
import type { ServiceName } from '../services/index.js';

/** Whatever has public events is a resource of the event stream; the last three have none. */
export const aggregateTypes = [
  'User',
  'Balance',
  'Order',
  'Escrow',
  'Dispute',
  'TopUp',
  'Withdrawal',
  'ApiKey',
  'Custody',
  'Audit',
] as const;
export type AggregateType = (typeof aggregateTypes)[number];

export type MessageDeclaration<Payload extends z.ZodType = z.ZodType> = {
  /** Also the routing key. Past tense for facts; `_requested`, `_refused` and `_failed` for asks, noes and breakages. */
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

/** A message as it travels. */
export type Envelope<P = unknown> = {
  readonly id: MessageId;
  readonly type: string;
  readonly version: number;
  /** The producer's clock. */
  readonly occurredAt: Instant;
  readonly aggregateType: AggregateType;
  readonly aggregateId: string;
  /** Counts the changes of the aggregate, taken under its row lock. */
  readonly aggregateVersion: number;
  /** Set where an aggregate counts in several independent rows, as a user's balance does per currency. */
  readonly aggregatePart?: string;
  readonly marketplaceId: MarketplaceId;
  /** The request id that began it all. */
  readonly correlationId: string;
  /** The message that led to this one. */
  readonly causationId?: MessageId;
  /** The public event that has to be shown before this one, and before whatever this one leads to. */
  readonly afterEventId?: MessageId;
  /** The saga that it belongs to. Sagas share messages: who handles one depends on its type and on its saga. */
  readonly saga?: string;
  /** The run of that saga. Absent where nobody here started one. */
  readonly sagaRunId?: SagaRunId;
  readonly payload: P;
};

type Optional = 'aggregatePart' | 'causationId' | 'afterEventId' | 'saga' | 'sagaRunId';

/** What a message carries beside its payload. A message is one itself. */
export type Frame = Omit<Envelope, Optional | 'payload'> & { readonly [Field in Optional]?: Envelope[Field] | undefined };

/**
 * Every message that is told or arrives is made here, in one shape and with no field that a message does not have. Spelled out:
 * spreading the parts costs several times as much.
 */
export function envelopeOf<P>(frame: Frame, payload: P): Envelope<P> {
  const { id, type, version, occurredAt, aggregateType, aggregateId, aggregateVersion, marketplaceId, correlationId } = frame;
  const { aggregatePart, causationId, afterEventId, saga, sagaRunId } = frame;
  const envelope: { -readonly [Field in keyof Envelope<P>]: Envelope<P>[Field] } = {
    id,
    type,
    version,
    occurredAt,
    aggregateType,
    aggregateId,
    aggregateVersion,
    marketplaceId,
    correlationId,
    payload,
  };
  if (aggregatePart !== undefined) envelope.aggregatePart = aggregatePart;
  if (causationId !== undefined) envelope.causationId = causationId;
  if (afterEventId !== undefined) envelope.afterEventId = afterEventId;
  if (saga !== undefined) envelope.saga = saga;
  if (sagaRunId !== undefined) envelope.sagaRunId = sagaRunId;
  return envelope;
}

/** Declares a message once; publishers, consumers, the broker's topology and the event reference read this. */
export function message<P extends z.ZodType>(declaration: MessageDeclaration<P>): MessageDeclaration<P> {
  return declaration;
}

export function publishersOf({ publisher }: MessageDeclaration): readonly ServiceName[] {
  return typeof publisher === 'string' ? [publisher] : publisher;
}
