import { lastTransferUpTo } from './last-transfer.js';

/**
 * The balances of a user at both ends of a period, and the sums of its transfers, in one snapshot. The sums are read from the index of the
 * history. Returns a row even if the user has no account in the currency.
 *
 * The account is closed up to the end of the period if no later transfer can be dated within it. Transfers are dated in the order in which
 * they lock the account. A date is never before its last change, and never before `not_before`.
 */
export const sumPeriod = {
  name: 'sum-period',
  text: `
  select accounts.id as "accountId",
    coalesce(greatest(accounts.updated_at, accounts.not_before) > $5, false) as "isClosed",
    coalesce(opening.available_units, 0) as "openingAvailableUnits",
    coalesce(opening.reserved_units, 0) as "openingReservedUnits",
    coalesce(closing.available_units, 0) as "closingAvailableUnits",
    coalesce(closing.reserved_units, 0) as "closingReservedUnits",
    coalesce(closing.account_version, 0) as "closingVersion",
    sums.in_units as "inUnits",
    sums.out_units as "outUnits",
    sums.fee_units as "feeUnits"
  from users
  left join accounts on accounts.owner = users.id
    and accounts.currency = $3
    and accounts.kind = 'user'
  left join lateral (
    ${lastTransferUpTo('$4')}
  ) as opening on true
  left join lateral (
    ${lastTransferUpTo('$5')}
  ) as closing on true
  cross join lateral (
    select coalesce(sum(greatest(available_change_units + reserved_change_units, 0)), 0)::text as in_units,
      coalesce(sum(greatest(-available_change_units - reserved_change_units, 0)), 0)::text as out_units,
      coalesce(sum(fee_units), 0)::text as fee_units
    from transfers
    where transfers.account_id = accounts.id
      and transfers.created_at > $4
      and transfers.created_at <= $5
  ) as sums
  where users.id = $2
    and users.marketplace_id = $1`,
};

export type PeriodRow = {
  readonly accountId: bigint | null;
  readonly isClosed: boolean;
  readonly openingAvailableUnits: bigint;
  readonly openingReservedUnits: bigint;
  readonly closingAvailableUnits: bigint;
  readonly closingReservedUnits: bigint;
  readonly closingVersion: number;
  readonly inUnits: string;
  readonly outUnits: string;
  readonly feeUnits: string;
};
