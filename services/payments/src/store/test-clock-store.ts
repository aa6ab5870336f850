import { remainingShownMax, type RemainingWork } from '@holdfast/contracts/http';
import { instantAfter } from '@holdfast/kernel/instants';
import { handleOnce } from '@holdfast/messaging/inbox';
import type { Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';

const readOffset = {
  name: 'read-offset-of-test-clock',
  text: `
  select offset_seconds
  from test_clocks
  where marketplace_id = $1`,
};

/** An older message never moves a clock back. */
const advanceClock = {
  name: 'advance-test-clock',
  text: `
  insert into test_clocks (marketplace_id, offset_seconds)
  values ($1, $2)
  on conflict (marketplace_id) do update
  set offset_seconds = excluded.offset_seconds
  where test_clocks.offset_seconds < excluded.offset_seconds`,
};

const isExpired = `marketplace_id = $1
    and status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION')
    and expires_at <= now() + make_interval(secs => $2)`;

/** A top-up expires when its status has been read at the payment provider. */
const pollExpired = {
  name: 'poll-expired-topups',
  text: `
  update topups
  set next_poll_at = now()
  where ${isExpired}
    and next_poll_at is not null`,
};

/** One with an unknown status is not polled and does not expire: it is a case. */
const readRemaining = {
  name: 'remaining-by-test-clock',
  text: `
  select 'topup-expiry' as kind, id, expires_at as "dueAt"
  from topups
  where ${isExpired}
    and (next_poll_at is not null or status = 'TOPUP_CREATED')
  union all
  select saga, id, null
  from saga_runs
  where marketplace_id = $1
    and closed_at is null
  order by "dueAt", id
  limit $3`,
};

type Options = {
  readonly database: Pick<Database, 'pool' | 'inTransaction'>;
  /** False with a real provider: then there is no clock to look up. */
  readonly isSandbox: boolean;
  /** Top-ups may have expired. */
  readonly onAdvanced: () => void;
};

export function testClockStore({ database, isSandbox, onAdvanced }: Options): Deps['testClocks'] {
  const { pool } = database;
  const offsetSeconds: Deps['testClocks']['offsetSeconds'] = async (marketplaceId) => {
    const { rows } = await pool.query<{ readonly offset_seconds: number }>(readOffset, [marketplaceId]);
    return rows[0]?.offset_seconds ?? 0;
  };
  return {
    offsetSeconds,
    timeAt: async (marketplaceId, at) => {
      const aheadSeconds = isSandbox ? await offsetSeconds(marketplaceId) : 0;
      return aheadSeconds === 0 ? at : instantAfter(at, `PT${aheadSeconds}S`);
    },
    remaining: async (marketplaceId) => {
      const values = [marketplaceId, await offsetSeconds(marketplaceId), remainingShownMax];
      return (await pool.query<RemainingWork>(readRemaining, values)).rows;
    },
    handleAdvanced: handleOnce({ database, consumer: 'payments' }, (tx, { payload: { marketplaceId, offsetSeconds: ahead } }) => {
      tx.defer(advanceClock, [marketplaceId, ahead]);
      tx.defer(pollExpired, [marketplaceId, ahead]);
      tx.afterCommit(onAdvanced);
      return Promise.resolve();
    }),
  };
}
