import type { Database } from '@holdfast/postgres';
import type { SweepableWallet } from '../use-cases/treasury/ports.js';

/**
 * Claims wallets that may hold a surplus. `swept_at` limits how often, because what they hold may be the user's own. A wallet that a
 * quarantined record names is left alone until the case is resolved: the owner of its tokens is not known yet.
 */
const claimSweepable = `
  update wallets
  set swept_at = now()
  where user_id in (
    select wallets.user_id
    from wallets
    join wallet_holdings on wallet_holdings.user_id = wallets.user_id
    where activated_at is not null
      and (swept_at is null or swept_at < now() - make_interval(secs => $2))
      and units > case asset when 'XLM' then $3::bigint else 0 end
      and not exists (
        select
        from quarantined_records
        where resolved_at is null
          and wallets.user_id = any(user_ids)
      )
    order by swept_at nulls first
    limit $1
    for update of wallets skip locked
  )
  returning user_id as "userId", marketplace_id as "marketplaceId", address`;

export type SweepLimits = {
  readonly everyMs: number;
  /** Wallets with more XLM are checked; less is not worth its fee. */
  readonly xlmAbove: bigint;
};

export function sweepStore({ lists }: Pick<Database, 'lists'>, { everyMs, xlmAbove }: SweepLimits) {
  return {
    claimSweepable: async (countMax: number): Promise<readonly SweepableWallet[]> =>
      (await lists.query<SweepableWallet>(claimSweepable, [countMax, everyMs / 1_000, xlmAbove])).rows,
  };
}
