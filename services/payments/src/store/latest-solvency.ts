import type { Instant } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';

/** What the last report says that the platform owes and has, in one asset. */
export type ReportedSolvency = {
  readonly currency: string;
  readonly at: Instant;
  readonly ledger: number | null;
  readonly liabilitiesUnits: bigint;
  readonly assetsUnits: bigint;
  readonly ownMoneyUnits: bigint;
  readonly unexplainedUnits: bigint;
};

const findLatest = `
  select distinct on (currency) currency,
    created_at as at,
    ledger,
    liabilities_units as "liabilitiesUnits",
    assets_units as "assetsUnits",
    own_money_units as "ownMoneyUnits",
    unexplained_units as "unexplainedUnits"
  from reconciliation_reports
  where currency in ('USDC', 'XLM')
    and unexplained_units is not null
    and liabilities_units is not null
    and assets_units is not null
    and own_money_units is not null
  order by currency, created_at desc, id desc`;

/** Empty before the first report. */
export async function latestSolvency({ lists }: Pick<Database, 'lists'>): Promise<readonly ReportedSolvency[]> {
  return (await lists.query<ReportedSolvency>(findLatest)).rows;
}
