import { remainingShownMax, type RemainingWork } from '@holdfast/contracts/http';
import type { Instant } from '@holdfast/kernel/instants';
import { handleOnce } from '@holdfast/messaging/inbox';
import type { Database, Tx } from '@holdfast/postgres';
import { readNextDue } from '@holdfast/work';
import { realTime, type MarketplaceClock } from '../domain/marketplace-clock.js';
import type { Deps } from '../use-cases/ports.js';
import type { ClaimedTimer } from '../use-cases/timer-ports.js';
import * as sql from './sql/test-clocks.js';

export type TestClockStoreOptions = {
  readonly database: Pick<Database, 'pool' | 'inTransaction'>;
  /** A clock was advanced. */
  readonly onAdvanced: () => void;
};

type ClockState = { readonly isBusy: boolean; readonly nextAt: Instant | null };

export type TestClockStore = Deps['testClocks'] & {
  /** Whether any clock was ahead at the last look: then a new timer may be due before its time. */
  readonly isUsed: () => boolean;
};

export function testClockStore({ database, onAdvanced }: TestClockStoreOptions): TestClockStore {
  const { pool, inTransaction } = database;
  let isUsed = false;
  return {
    isUsed: () => isUsed,
    find: async (marketplaceId) => (await pool.query<MarketplaceClock>(sql.readOffset, [marketplaceId])).rows[0] ?? realTime,
    claimNext: () => inTransaction(claimNext),
    nextStepInMs: async () => {
      const inMs = await readNextDue(pool, sql.nextClockStep);
      isUsed = inMs !== undefined;
      return inMs;
    },
    remaining: async (marketplaceId) =>
      (await pool.query<RemainingWork>(sql.readRemaining, [marketplaceId, remainingShownMax])).rows,
    handleAdvanced: handleOnce({ database, consumer: 'orders' }, (tx, { payload: { marketplaceId, offsetSeconds } }) => {
      tx.defer(sql.advanceClock, [marketplaceId, offsetSeconds]);
      tx.afterCommit(onAdvanced);
      return Promise.resolve();
    }),
  };
}

/** The clocks wait for what they have begun, and then move to their next timer, or to the time to which they were advanced. */
async function claimNext(tx: Tx): Promise<readonly ClaimedTimer[]> {
  const claimed: ClaimedTimer[] = [];
  for (const { id } of await tx.query<{ readonly id: string }>(sql.lockClocks)) {
    const [state] = await tx.query<ClockState>(sql.readClock, [id]);
    if (state === undefined || state.isBusy) continue;
    await tx.query(sql.moveClock, [id, state.nextAt]);
    if (state.nextAt !== null) claimed.push(...(await tx.query<ClaimedTimer>(sql.claimNextOfClock, [id, state.nextAt])));
  }
  return claimed;
}
