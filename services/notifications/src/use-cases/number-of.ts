import { allMessages, publishersOf, type Envelope } from '@holdfast/contracts/messages';
import type { Numbered } from '../domain/hold-back.js';

/** The ledger promises that the versions of a balance count its events without gaps. Elsewhere a gap says nothing. */
const numberedWithoutGaps: ReadonlySet<string> = new Set(['Balance']);

const publisherOf = new Map(allMessages.map((declaration) => [declaration.type, publishersOf(declaration).join()]));

/** Each publisher counts for itself, in each of the parts that an aggregate has. */
export function numberOf(message: Envelope): Numbered {
  const { type, aggregateType, aggregateId, aggregatePart = '', aggregateVersion: version } = message;
  const aggregate = [publisherOf.get(type) ?? '', aggregateType, aggregateId, aggregatePart].join(' ');
  return { aggregate, version, isGapless: numberedWithoutGaps.has(aggregateType) };
}
