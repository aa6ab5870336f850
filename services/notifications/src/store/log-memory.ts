import type { Instant } from '@holdfast/shared/context';
import type { MarketplaceId } from '@holdfast/shared/ids';
import { createRecentMap, type RecentMap } from '@holdfast/shared/recent-map';
import type { Arrival } from '../use-cases/ports.js';
import type { Decision, Known, LogEnd } from './decide-batch.js';

/**
 * What the appender knows of the log without asking. It alone changes the log, so what it has read or written stays true for as
 * long as its token is the newest and the log ends where it left it; every append makes sure of both.
 */
export type LogMemory = {
  /**
   * All that a batch depends on; undefined where some of it has to be asked. An event that others come after and that was never
   * met is taken to be on its way, and is asked for when it has not come after a moment.
   */
  readonly recall: (arrivals: readonly Arrival[], nowMs: number) => Known | undefined;
  /** The numbers of aggregates whose numbers have gaps, as far as they were met. The log does not keep them. */
  readonly looseHeads: (arrivals: readonly Arrival[]) => ReadonlyMap<string, number>;
  /** What was asked before a batch. */
  readonly learn: (arrivals: readonly Arrival[], known: Known) => void;
  /** What a commit has changed, with the numbers that the log has now. */
  readonly follow: (decision: Decision, heads: ReadonlyMap<string, number>) => void;
  /** After a failure nothing is certain. */
  readonly forget: () => void;
};

const idsMin = 20_000;
const headsMin = 20_000;
const clocksMin = 10_000;

/** Longer than what is told to the event log is under way. */
export const expectedWithinMs = 200;

export function createLogMemory(): LogMemory {
  const isHeard = createRecentMap<string, boolean>(idsMin);
  const expectedSinceMs = createRecentMap<string, number>(idsMin);
  const heads = createRecentMap<string, number>(headsMin);
  const loose = createRecentMap<string, number>(headsMin);
  const clocks = createRecentMap<MarketplaceId, Instant | undefined>(clocksMin);
  let end: LogEnd | undefined;

  const isOnItsWay = (id: string, nowMs: number): boolean => {
    const sinceMs = expectedSinceMs.get(id);
    if (sinceMs === undefined) expectedSinceMs.set(id, nowMs);
    return sinceMs === undefined || nowMs - sinceMs < expectedWithinMs;
  };

  const isKnown = ({ numbered, afterEventId, message }: Arrival, ids: ReadonlySet<string>, nowMs: number): boolean => {
    if (!clocks.has(message.marketplaceId)) return false;
    const isMet = afterEventId === undefined || ids.has(afterEventId) || isHeard.has(afterEventId);
    if (!isMet && !isOnItsWay(afterEventId, nowMs)) return false;
    // The first of its aggregate waits for nobody, whatever the log has.
    return numbered?.isGapless !== true || numbered.version <= 1 || heads.has(numbered.aggregate);
  };

  const looseHeads = (arrivals: readonly Arrival[]): ReadonlyMap<string, number> =>
    new Map(arrivals.flatMap(({ numbered }) => (numbered?.isGapless === false ? entryOf(loose, numbered.aggregate) : [])));

  return {
    looseHeads,
    recall: (arrivals, nowMs) => {
      const own = new Set(arrivals.map(({ id }) => id));
      if (end === undefined || !arrivals.every((arrival) => isKnown(arrival, own, nowMs))) return undefined;
      return {
        end,
        ids: new Set(idsOf(arrivals).filter((id) => isHeard.get(id) === true)),
        versions: new Map([
          ...looseHeads(arrivals),
          ...aggregatesOf(arrivals).map((aggregate) => [aggregate, heads.get(aggregate) ?? 0] as const),
        ]),
        clocks: new Map(marketplacesOf(arrivals).flatMap((id) => entryOf(clocks, id))),
      };
    },
    learn: (arrivals, known) => {
      end = known.end;
      for (const id of idsOf(arrivals)) isHeard.set(id, known.ids.has(id));
      for (const aggregate of aggregatesOf(arrivals)) heads.set(aggregate, known.versions.get(aggregate) ?? 0);
      for (const id of marketplacesOf(arrivals)) clocks.set(id, known.clocks.get(id));
    },
    follow: (decision, changed) => {
      end = decision.end;
      for (const id of decision.ids) isHeard.set(id, true);
      for (const [aggregate, version] of changed) heads.set(aggregate, version);
      for (const [aggregate, version] of decision.looseHeads) loose.set(aggregate, Math.max(version, loose.get(aggregate) ?? 0));
      for (const [id, moment] of decision.clocks) clocks.set(id, moment);
    },
    forget: () => {
      end = undefined;
      for (const known of [isHeard, expectedSinceMs, heads, clocks]) known.clear();
    },
  };
}

/** The messages themselves, and those they come after. */
export function idsOf(arrivals: readonly Arrival[]): readonly string[] {
  return arrivals.flatMap(({ id, afterEventId }) => (afterEventId === undefined ? [id] : [id, afterEventId]));
}

/** Those whose numbers have no gaps. */
export function aggregatesOf(arrivals: readonly Arrival[]): readonly string[] {
  return [...new Set(arrivals.flatMap(({ numbered }) => (numbered?.isGapless === true ? [numbered.aggregate] : [])))];
}

export function marketplacesOf(arrivals: readonly Arrival[]): readonly MarketplaceId[] {
  return [...new Set(arrivals.map(({ message }) => message.marketplaceId))];
}

function entryOf<Key, Value>(map: Pick<RecentMap<Key, Value | undefined>, 'get'>, key: Key): readonly (readonly [Key, Value])[] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}
