import { toEpochMs, type Clock, type Instant } from '@holdfast/kernel/instants';
import type { MemoryTables } from '@holdfast/testing/memory';
import { realTime, timeBy, type MarketplaceClock } from '../domain/marketplace-clock.js';
import type { TimerRow } from '../store/schema.js';
import type { ClaimedTimer } from '../use-cases/timer-ports.js';
import type { Deps } from '../use-cases/ports.js';
import { newMarketplace, type OrderTables } from './memory-rows.js';
import { claimTimer } from './memory-timers.js';

const attemptsMax = 5;

export function memoryTestClocks(tables: MemoryTables<OrderTables>, clock: Clock): Deps['testClocks'] {
  const { committed, inTransaction } = tables;
  const ahead = (rows: OrderTables) => [...rows.marketplaces].filter(([, row]) => row.clock.offsetSeconds > 0);
  return {
    find: async (marketplaceId) => committed().marketplaces.get(marketplaceId)?.clock ?? realTime,
    claimNext: () => inTransaction(({ tables: rows }) => ahead(rows).flatMap(([id]) => claimNextOf(rows, id, clock))),
    nextStepInMs: async () => {
      const dueIn = ahead(committed()).flatMap(([id, row]) => {
        const next = waitingIn(committed(), id)[0];
        if (row.clock.standsAt !== null) return [0];
        return next === undefined ? [] : [toEpochMs(next.dueAt) - toEpochMs(timeBy(row.clock, clock.now()))];
      });
      return dueIn.length === 0 ? undefined : Math.min(...dueIn);
    },
    remaining: async (marketplaceId) => remainingIn(committed(), marketplaceId, clock.now()),
    handleAdvanced: ({ id, payload: { marketplaceId, offsetSeconds } }) =>
      inTransaction(({ tables: { inbox, marketplaces } }) => {
        if (inbox.has(id)) return;
        inbox.set(id, true);
        const row = marketplaces.get(marketplaceId) ?? newMarketplace;
        if (row.clock.offsetSeconds >= offsetSeconds) return;
        const standsAt = timeBy(row.clock, clock.now());
        marketplaces.set(marketplaceId, { ...row, clock: { offsetSeconds, standsAt } });
      }),
  };
}

function claimNextOf(rows: OrderTables, id: string, clock: Clock): readonly ClaimedTimer[] {
  const row = rows.marketplaces.get(id) ?? newMarketplace;
  if (isBusy(rows, id)) return [];
  const { offsetSeconds, standsAt } = row.clock;
  const until = timeBy({ offsetSeconds, standsAt: null }, clock.now());
  const [next] = waitingIn(rows, id).filter(({ dueAt }) => dueAt <= until);
  const move = (to: Instant | null): void => void rows.marketplaces.set(id, { ...row, clock: { offsetSeconds, standsAt: to } });
  if (next === undefined) {
    move(null);
    return [];
  }
  const from = standsAt ?? until;
  move(from > next.dueAt ? from : next.dueAt);
  return [claimTimer(rows.timers, next, clock.now())];
}

function isBusy({ timers, runs }: OrderTables, id: string): boolean {
  const isClaimed = ({ marketplaceId, attempts, heldReason }: TimerRow): boolean =>
    marketplaceId === id && attempts > 0 && attempts <= attemptsMax && heldReason === null;
  return [...timers.values()].some(isClaimed) || openRunsIn({ runs }, id).some(({ nextRetryAt }) => nextRetryAt !== null);
}

function openRunsIn({ runs }: Pick<OrderTables, 'runs'>, id: string) {
  return [...runs.values()].filter(({ marketplaceId, outcome }) => marketplaceId === id && outcome === null);
}

function waitingIn({ timers }: OrderTables, id: string): readonly TimerRow[] {
  const isWaiting = ({ marketplaceId, attempts, heldReason }: TimerRow): boolean =>
    marketplaceId === id && attempts === 0 && heldReason === null;
  return [...timers.values()].filter(isWaiting).toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : 1));
}

function remainingIn(rows: OrderTables, id: string, at: Instant) {
  const clock: MarketplaceClock = rows.marketplaces.get(id)?.clock ?? realTime;
  const until = timeBy({ ...clock, standsAt: null }, at);
  const isLeft = ({ marketplaceId, attempts, heldReason, dueAt }: TimerRow): boolean =>
    marketplaceId === id && heldReason === null && (attempts > 0 || dueAt <= until);
  const timers = [...rows.timers.values()].filter(isLeft).map(({ kind, orderId, subject, attempts, dueAt }) => {
    return { kind, id: `${orderId} ${subject}`.trim(), dueAt: attempts === 0 ? dueAt : (clock.standsAt ?? dueAt) };
  });
  return [...timers, ...openRunsIn(rows, id).map(({ saga, id: runId }) => ({ kind: saga, id: runId, dueAt: null }))];
}
