import type { Database } from '@holdfast/postgres';
import type { SweepableWallet } from '../treasury/sweep.js';

/** Looked at again not before this, whatever it holds: what it holds may be the user's own. */
const takeSweepable = `
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
  /** XLM beyond this may be too much, and below the other too little. */
  readonly xlmAbove: bigint;
  readonly xlmBelow: bigint;
};

export function sweepStore({ lists }: Pick<Database, 'lists'>, { everyMs, xlmAbove, xlmBelow }: SweepLimits) {
  return {
    takeSweepable: async (countMax: number): Promise<readonly SweepableWallet[]> =>
      (await lists.query<SweepableWallet>(takeSweepable, [countMax, everyMs / 1_000, xlmAbove, xlmBelow])).rows,
  };
}
