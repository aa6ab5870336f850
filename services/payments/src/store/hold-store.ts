import { IntentPaused } from '@holdfast/intents';
import type { Database } from '@holdfast/postgres';
import type { Holds, WithdrawalHold } from '../use-cases/hold-ports.js';

/** The case comes before pay-ins that are still read at the provider. */
export const findHold = {
  name: 'find-hold-of-withdrawals',
  text: `
  (
    select id as "caseId"
    from reconciliation_cases
    where marketplace_id = $1
      and user_id = $2
      and kind = 'unconfirmed_payment'
      and status <> 'RESOLVED'
    limit 1
  )
  union all
  (
    select null
    from topups
    where marketplace_id = $1
      and user_id = $2
      and unconfirmed_since is not null
    limit 1
  )`,
};

const retryInMs = 5_000;

export function holdStore({ pool }: Pick<Database, 'pool'>): Holds {
  const find: Holds['find'] = async (marketplaceId, userId) =>
    (await pool.query<WithdrawalHold>(findHold, [marketplaceId, userId])).rows[0];
  return {
    find,
    assertNone: async (marketplaceId, userId) => {
      if ((await find(marketplaceId, userId)) !== undefined)
        throw new IntentPaused(`the withdrawals of ${userId} are held, because a payment is not confirmed`, retryInMs);
    },
  };
}
