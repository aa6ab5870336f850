import { allMessages, publishersOf, type Envelope } from '@holdfast/contracts/messages';
import type { AggregateVersion } from '../domain/hold-back.js';

/**
 * ledger-balance guarantees that the versions of a balance count its public events without gaps. Other aggregates may have gaps.
 */
const gaplessAggregateTypes: ReadonlySet<string> = new Set(['Balance']);

const publisherOf = new Map(allMessages.map((declaration) => [declaration.type, publishersOf(declaration).join()]));

/** Versions are counted per publisher and per part of the aggregate. */
export function aggregateVersionOf(message: Envelope): AggregateVersion {
  const { type, aggregateType, aggregateId, aggregatePart = '', aggregateVersion: version } = message;
  const aggregate = [publisherOf.get(type) ?? '', aggregateType, aggregateId, aggregatePart].join(' ');
  return { aggregate, version, isGapless: gaplessAggregateTypes.has(aggregateType) };
}
