import { allMessages, publishersOf, type Envelope } from '@holdfast/shared/contracts/messages';
import { allSagas, type Saga } from '@holdfast/shared/sagas';
import type { Numbered } from '../domain/hold-back.js';

const isPublic = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

/**
 * Events whose cause, where they name one, is always an event of the log itself. A causation id alone does not say whether
 * it names an event or an internal message, and the appender hears no internal ones; the sagas say which message leads to
 * which. Where a step acts on an internal message, what came before it was told in the commit of that message, ahead of it
 * and on the same way, so it has arrived already.
 */
export function causedByEvents(sagas: readonly Saga[]): ReadonlySet<string> {
  const causes = new Map<string, Set<string>>();
  for (const { on, tells = [], orElse = [] } of sagas.flatMap(({ steps }) => steps)) {
    if (on === undefined) continue;
    for (const { type } of [...tells, ...orElse]) causes.set(type, (causes.get(type) ?? new Set()).add(on.type));
  }
  const always = [...causes].filter(([type, of]) => isPublic.has(type) && [...of].every((cause) => isPublic.has(cause)));
  return new Set(always.map(([type]) => type));
}

const followers = causedByEvents(allSagas);

export function publicCauseOf({ type, causationId }: Envelope): string | undefined {
  return followers.has(type) ? causationId : undefined;
}

/** The ledger promises that the versions of a balance count its events without gaps. Elsewhere a gap says nothing. */
const numberedWithoutGaps: ReadonlySet<string> = new Set(['Balance']);

const publisherOf = new Map(allMessages.map((declaration) => [declaration.type, publishersOf(declaration).join()]));

/** Each publisher counts for itself, in each of the parts that an aggregate has. */
export function numberOf(message: Envelope): Numbered {
  const { type, aggregateType, aggregateId, aggregatePart = '', aggregateVersion: version } = message;
  const aggregate = [publisherOf.get(type) ?? '', aggregateType, aggregateId, aggregatePart].join(' ');
  return { aggregate, version, isGapless: numberedWithoutGaps.has(aggregateType) };
}
