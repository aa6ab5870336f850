import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { countedAggregate } from '../domain/counted-events.js';
import type { Arrival } from '../use-cases/ports.js';
import type { LogChanges, LogState } from './decide-batch.js';
import type { LogEnd } from './schema.js';

/** What this process has appended since it became the appender. What it has not appended itself is unknown to it. */
export type OwnAppends = {
  /** The state that the batch depends on; undefined where a part of it is unknown and must be read. */
  readonly stateFor: (arrivals: readonly Arrival[]) => LogState | undefined;
  /** After a commit. `versions` are the highest ones of the aggregates, as the commit has left them. */
  readonly remember: (changes: LogChanges, versions: ReadonlyMap<string, number>) => void;
  /** After an append that failed, or whose outcome is unknown. */
  readonly forget: () => void;
};

/** With more events, aggregates or marketplaces than this it forgets all, and the next batches read again what they need. */
const rememberedMax = 10_000;

/**
 * Nothing here can be outdated. Every write requires that the log still ends where the last append of this process has left it, and every
 * change of a version or a timestamp moves that end.
 */
export function createOwnAppends(): OwnAppends {
  let end: LogEnd | undefined;
  const moments = new Map<string, Instant>();
  const versions = new Map<string, number>();
  const clocks = new Map<MarketplaceId, Instant>();
  const forget = (): void => {
    end = undefined;
    for (const remembered of [moments, versions, clocks]) remembered.clear();
  };

  const isKnown = ({ message, aggregateVersion, afterEventId }: Arrival, arrived: ReadonlySet<string>): boolean => {
    if (!clocks.has(message.marketplaceId)) return false;
    if (afterEventId !== undefined && !moments.has(afterEventId) && !arrived.has(afterEventId)) return false;
    // The first version waits for none, and is taken for the first event of its aggregate; the append compares.
    return aggregateVersion === undefined || aggregateVersion.version === 1 || versions.has(aggregateVersion.aggregate);
  };

  return {
    stateFor: (arrivals) => {
      const arrived = new Set(arrivals.map(({ id }) => id));
      if (end === undefined || !arrivals.every((arrival) => isKnown(arrival, arrived))) return undefined;
      const reported = knownOf(moments, namedIds(arrivals));
      return {
        end,
        ids: new Set(reported.keys()),
        versions: knownOf(versions, aggregatesOf(arrivals)),
        clocks: knownOf(clocks, marketplacesOf(arrivals)),
        reported,
      };
    },
    remember: (changes, written) => {
      if (Math.max(moments.size, versions.size, clocks.size) > rememberedMax) forget();
      ({ end } = changes);
      for (const { eventId, occurredAt } of changes.events) moments.set(eventId, occurredAt);
      for (const [aggregate, version] of written) versions.set(aggregate, version);
      for (const [marketplaceId, moment] of changes.clocks) clocks.set(marketplaceId, moment);
    },
    forget,
  };
}

function knownOf<Key, Value>(remembered: ReadonlyMap<Key, Value>, keys: readonly Key[]): ReadonlyMap<Key, Value> {
  return new Map(
    keys.flatMap((key) => {
      const value = remembered.get(key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

/** The ids of the messages and of the predecessors that they name. */
export function namedIds(arrivals: readonly Arrival[]): readonly string[] {
  return arrivals.flatMap(({ id, afterEventId }) => (afterEventId === undefined ? [id] : [id, afterEventId]));
}

/** Those whose versions publishers have counted, and those whose events the log counts. */
export function aggregatesOf(arrivals: readonly Arrival[]): readonly string[] {
  const named = arrivals.flatMap(({ aggregateVersion, message }) =>
    aggregateVersion === undefined ? [] : [aggregateVersion.aggregate, countedAggregate(message)],
  );
  return [...new Set(named)];
}

export function marketplacesOf(arrivals: readonly Arrival[]): readonly MarketplaceId[] {
  return [...new Set(arrivals.map(({ message }) => message.marketplaceId))];
}
