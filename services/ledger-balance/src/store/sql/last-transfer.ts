/**
 * The last transfer of the account up to a time. Its balances are the account's balances at that time. Lookups of balances and statements
 * share it, so that they agree.
 */
export function lastTransferUpTo(time: string): string {
  return `select available_units, reserved_units, created_at, account_version
    from transfers
    where transfers.account_id = accounts.id
      and transfers.created_at <= ${time}
    order by transfers.created_at desc, transfers.account_version desc
    limit 1`;
}
