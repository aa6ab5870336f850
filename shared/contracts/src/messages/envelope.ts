import { z } from 'zod';
import type { Instant } from '@holdfast/kernel/context';
import { id } from '../shapes/index.js';

/** Types of aggregates. The last seven have no public events. */
export const aggregateTypes = [
  'User',
  'Balance',
  'Order',
  'Escrow',
  'Dispute',
  'TopUp',
  'Withdrawal',
  'WebhookEndpoint',
  'Marketplace',
  'ReconciliationCase',
  'ApiKey',
  'EmergencyStop',
  'Custody',
  'Audit',
  'Outbox',
] as const;
export type AggregateType = (typeof aggregateTypes)[number];

const name = z.string().min(1).max(200);
const instantPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The wire format of a message. The consumer parses the payload with the contract of the message type. */
export const envelopeSchema = z.strictObject({
  id: id('evt'),
  type: name,
  version: z.int().min(1),
  /** The time by the publisher's clock. */
  occurredAt: z.custom<Instant>((value) => typeof value === 'string' && instantPattern.test(value), 'must be an instant in UTC'),
  aggregateType: z.enum(aggregateTypes),
  aggregateId: name,
  /** The version of the aggregate, incremented under its row lock. */
  aggregateVersion: z.int().min(0),
  /** Set if an aggregate has several independent versions, such as a user's balance, which has one per currency. See ADR 0005. */
  aggregatePart: name.exactOptional(),
  marketplaceId: id('mkt'),
  /** The id of the request that caused the message. */
  correlationId: name,
  /** The public event that caused this message; internal messages between them carry it on. Absent if a request caused it. */
  causationId: id('evt').exactOptional(),
  /** The public event that must precede this message, and all events that it causes, in the event stream. */
  afterEventId: id('evt').exactOptional(),
  /** The name of the saga that the message belongs to, because sagas share messages. */
  saga: z
    .string()
    .max(100)
    .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
    .exactOptional(),
  sagaRunId: id('run').exactOptional(),
  /**
   * The span that caused the message, as a W3C `traceparent`. Absent while tracing is off. It is not part of the message's identity,
   * and one that is not valid is ignored.
   */
  traceparent: z.string().max(200).exactOptional(),
  payload: z.unknown(),
});

type ParsedEnvelope = Readonly<z.infer<typeof envelopeSchema>>;

export type Envelope<P = unknown> = Omit<ParsedEnvelope, 'payload'> & { readonly payload: P };

type OptionalField = 'aggregatePart' | 'causationId' | 'afterEventId' | 'saga' | 'sagaRunId' | 'traceparent';

/** An envelope without its payload, whose optional fields may also be undefined. */
export type EnvelopeFields = Omit<ParsedEnvelope, OptionalField | 'payload'> & {
  readonly [Field in OptionalField]?: ParsedEnvelope[Field] | undefined;
};

/** Builds an envelope, without the optional fields that are undefined. */
export function envelopeOf<P>(frame: EnvelopeFields, payload: P): Envelope<P> {
  const { aggregatePart, causationId, afterEventId, saga, sagaRunId, traceparent, ...required } = frame;
  return {
    ...required,
    ...(aggregatePart === undefined ? {} : { aggregatePart }),
    ...(causationId === undefined ? {} : { causationId }),
    ...(afterEventId === undefined ? {} : { afterEventId }),
    ...(saga === undefined ? {} : { saga }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
    ...(traceparent === undefined ? {} : { traceparent }),
    payload,
  };
}
