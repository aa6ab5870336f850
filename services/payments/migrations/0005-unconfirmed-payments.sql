-- compatible since 0001
-- Our own id was stored as the payout's id where an event had named the withdrawal by it. The payout is found by its code.
update withdrawals
set provider_payout_id = null
where provider_payout_id = id;

alter table reconciliation_cases drop constraint reconciliation_cases_kind_check;

alter table reconciliation_cases add constraint reconciliation_cases_kind_check check (
  kind in (
    'late_money',
    'amount_mismatch',
    'unexplained_difference',
    'unknown_deposit',
    'unconfirmed_deposit',
    'unconfirmed_payment',
    'unknown_outflow',
    'quarantined_record'
  )
);

-- Since when a pay-in is booked that only an event has reported, and when it is read next at the payment provider.
alter table topups
  add column unconfirmed_since timestamptz,
  add column next_confirmation_at timestamptz;

create index if not exists topups_unconfirmed on topups (next_confirmation_at)
  where next_confirmation_at is not null;

create index if not exists topups_unconfirmed_of_user on topups (user_id)
  where unconfirmed_since is not null;

create index if not exists reconciliation_cases_unconfirmed on reconciliation_cases (user_id)
  where kind = 'unconfirmed_payment' and status <> 'RESOLVED';

-- The rate of a user counts withdrawals before their amount is reserved, too.
create index if not exists withdrawals_created_by_user on withdrawals (marketplace_id, user_id, created_at);
