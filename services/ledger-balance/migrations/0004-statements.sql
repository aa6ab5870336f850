-- compatible since 0001
-- What a statement shows of a transfer: the milestone that it pays, and what the platform kept of the money that it pays to its user.
alter table transfers
  add column milestone_ref text,
  add column fee_units bigint;

update transfers
set milestone_ref = substring(description from '^Escrow: milestone (.*) (?:released|refunded|split after a dispute)(?:, less the platform fee)?$')
where type = 'ESCROW_PAYOUT'
  and description like 'Escrow: milestone %';

-- The fee of a payout is the transfer before the one that pays the seller: the causes of a posting are numbered.
update transfers
set fee_units = fees.units
from (
  select transfers.cause, legs.units
  from accounts
  join legs on legs.account_id = accounts.id
  join transfers on transfers.id = legs.transfer_id
  where accounts.kind = 'platform'
    and accounts.owner = 'fees'
    and transfers.type = 'ESCROW_PAYOUT'
) as fees
where transfers.type = 'ESCROW_PAYOUT'
  and transfers.account_id is not null
  and transfers.cause = case when fees.cause like '%#1' then regexp_replace(fees.cause, '#1$', '#2') else fees.cause || '#1' end;

-- The history of an account and its balance at a moment, as before, and the sums of a period from the index alone.
create unique index transfers_of_account on transfers (account_id, created_at, account_version)
include (available_change_units, reserved_change_units, fee_units)
where account_id is not null;

drop index transfers_history;

-- The index alone is enough where the pages of the table are known to be visible to all, which vacuum notes.
alter table transfers set (autovacuum_vacuum_insert_scale_factor = 0.02);

-- What was booked for an order.
create index transfers_of_order on transfers (order_id, created_at, id) where order_id is not null;

-- No later transfer of the account is dated before this time: a statement up to it is complete.
alter table accounts add column not_before timestamptz;
