import type { Instant } from '@holdfast/shared/context';
import type { MarketplaceId } from '@holdfast/shared/ids';
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

const idsMax = 20_000;
const headsMax = 20_000;
const clocksMax = 10_000;

/** Longer than what is told to the event log is under way. */
export const expectedWithinMs = 200;

export function createLogMemory(): LogMemory {
  const isHeard = new Map<string, boolean>();
  const expectedSinceMs = new Map<string, number>();
  const heads = new Map<string, number>();
  const loose = new Map<string, number>();
  const clocks = new Map<MarketplaceId, Instant | undefined>();
  let end: LogEnd | undefined;

  const isOnItsWay = (id: string, nowMs: number): boolean => {
    const sinceMs = expectedSinceMs.get(id);
    if (sinceMs === undefined) remember(expectedSinceMs, id, nowMs, idsMax);
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
      for (const id of idsOf(arrivals)) remember(isHeard, id, known.ids.has(id), idsMax);
      for (const aggregate of aggregatesOf(arrivals)) remember(heads, aggregate, known.versions.get(aggregate) ?? 0, headsMax);
      for (const id of marketplacesOf(arrivals)) remember(clocks, id, known.clocks.get(id), clocksMax);
    },
    follow: (decision, changed) => {
      end = decision.end;
      for (const id of decision.ids) remember(isHeard, id, true, idsMax);
      for (const [aggregate, version] of changed) remember(heads, aggregate, version, headsMax);
      for (const [aggregate, version] of decision.looseHeads)
        remember(loose, aggregate, Math.max(version, loose.get(aggregate) ?? 0), headsMax);
      for (const [id, moment] of decision.clocks) remember(clocks, id, moment, clocksMax);
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

function entryOf<Key, Value>(map: ReadonlyMap<Key, Value | undefined>, key: Key): readonly (readonly [Key, Value])[] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}

/** The one that was not touched for the longest time makes room. */
function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
