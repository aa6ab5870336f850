import type { Database } from '@holdfast/postgres';
import type { SweepableWallet } from '../treasury/sweep.js';

/** Claims wallets that may hold a surplus or too little XLM. `swept_at` limits how often, because a surplus may be the user's own. */
const claimSweepable = `
  update wallets
  set swept_at = now()
  where user_id in (
    select wallets.user_id
    from wallets
    join wallet_holdings on wallet_holdings.user_id = wallets.user_id
    where activated_at is not null
      and (swept_at is null or swept_at < now() - make_interval(secs => $2))
      and (
        (asset = 'USDC' and units > 0)
        or (asset = 'XLM' and (units > $3 or units < $4))
      )
    order by swept_at nulls first
    limit $1
    for update of wallets skip locked
  )
  returning user_id as "userId", marketplace_id as "marketplaceId", address`;

export type SweepLimits = {
  readonly everyMs: number;
  /** Wallets with XLM above or below these limits are checked. */
  readonly xlmAbove: bigint;
  readonly xlmBelow: bigint;
};

export function sweepStore({ lists }: Pick<Database, 'lists'>, { everyMs, xlmAbove, xlmBelow }: SweepLimits) {
  return {
    claimSweepable: async (countMax: number): Promise<readonly SweepableWallet[]> =>
      (await lists.query<SweepableWallet>(claimSweepable, [countMax, everyMs / 1_000, xlmAbove, xlmBelow])).rows,
  };
}
