import { event } from '@holdfast/contracts/http';
import type { Database } from '@holdfast/postgres';
import type { CountedEntry, CountedEvent, SummaryLog, SummaryReader } from '../use-cases/summary/ports.js';
import {
  readSummary,
  readSummaryBatch,
  readUncounted,
  writeSummary,
  type BatchRow,
  type CountedRow,
  type UncountedRow,
} from './sql/summary.js';

/** The resources whose audit entries have the status of an order. */
const resourceTypes = ['Order', 'Dispute'];
/** The counters whose labels are days. */
const dailyCounters = ['created', 'volume'];

export function summaryStore({ lists }: Pick<Database, 'lists'>): SummaryLog & SummaryReader {
  return {
    next: async (limit, types) => {
      const { rows } = await lists.query<BatchRow>(readSummaryBatch, [limit, types, resourceTypes]);
      const [first] = rows;
      if (first === undefined) throw new Error('The tables appender and summary_position have one row each.');
      const { position, auditPosition, positionUntil, auditPositionUntil, isMore } = first;
      if (positionUntil === position && auditPositionUntil === auditPosition) return undefined;
      return {
        from: { position, auditPosition },
        until: { position: positionUntil, auditPosition: auditPositionUntil },
        events: rows.flatMap(toEvent),
        entries: rows.flatMap(toEntry),
        isMore,
      };
    },
    write: async (batch, changes) => (await lists.query(writeSummary(batch, changes))).rows.length > 0,
    read: async (marketplaceId, { fromDay, untilDay }) => {
      // The counters are read last, so that they are not older than the time up to which they are said to be counted.
      const [uncounted] = (await lists.query<UncountedRow>(readUncounted, [marketplaceId])).rows;
      const { rows } = await lists.query<CountedRow>(readSummary, [marketplaceId, fromDay, untilDay, dailyCounters]);
      return {
        counts: rows.map(({ value, ...counted }) => ({ ...counted, value: BigInt(value) })),
        failingEndpoints: uncounted?.failingEndpoints ?? 0,
        countedSince: uncounted?.countedSince ?? null,
        uncountedSince: uncounted?.uncountedSince ?? undefined,
      };
    },
  };
}

function toEvent({ kind, marketplaceId, content }: BatchRow): readonly CountedEvent[] {
  if (kind !== 'event' || marketplaceId === null || content === null) return [];
  return [{ ...event.parse(JSON.parse(content)), marketplaceId }];
}

function toEntry({ kind, marketplaceId, content, after }: BatchRow): readonly CountedEntry[] {
  if (kind !== 'entry' || marketplaceId === null) return [];
  return [{ marketplaceId, before: stateOf(content), after: stateOf(after) }];
}

function stateOf(text: string | null): CountedEntry['before'] {
  return text === null ? null : (JSON.parse(text) as CountedEntry['before']);
}
