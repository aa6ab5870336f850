-- compatible since 0001
-- The users of each marketplace, copied from the messages of identity.
create table users (
  id text primary key,
  marketplace_id text not null,
  type text not null check (type in ('BUYER', 'SELLER', 'BOTH')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  version bigint not null,
  received_at timestamptz not null
);

-- The account of a user at the payment provider. Payouts go to its e-mail address.
create table payment_accounts (
  user_id text primary key,
  marketplace_id text not null,
  payment_account_user_id text not null,
  email text not null,
  linked_at timestamptz not null
);

-- A top-up with its active saga run in one row, so that one row lock guards all of it.
create table topups (
  id text primary key,
  marketplace_id text not null,
  user_id text not null,
  amount_units bigint not null check (amount_units > 0),
  currency text not null check (currency = 'USD'),
  status text not null check (
    status in (
      'TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING', 'TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'
    )
  ),
  description text,
  return_url text,
  cancel_url text,
  -- json preserves the order of the keys as the client sent them; jsonb does not.
  metadata json not null,
  provider_payin_id text,
  confirmation_uri text,
  expires_at timestamptz not null,
  failure_reason text,
  error_code text,
  -- Who requested to cancel it, until the payment provider has canceled the pay-in.
  cancel_request json,
  -- Whether a reconciliation case has its money.
  is_in_case boolean not null,
  -- The status is read at the payment provider at this time; null in a final state.
  next_poll_at timestamptz,
  polls integer not null default 0,
  -- The last time that the status was read because a browser returned; such reads are limited.
  returned_at timestamptz,
  active_run json,
  -- Counts the public events of the top-up.
  version integer not null,
  last_event_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);

create index topups_listed on topups (marketplace_id, created_at, id);

create index topups_of_user on topups (marketplace_id, user_id, created_at, id);

create index topups_due on topups (next_poll_at)
  where next_poll_at is not null;

create index topups_of_payin on topups (provider_payin_id)
  where provider_payin_id is not null;

-- A withdrawal with its active saga run in one row. It is visible once its amount is reserved (`held_at`).
create table withdrawals (
  id text primary key,
  marketplace_id text not null,
  user_id text not null,
  amount_units bigint not null check (amount_units > 0),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  status text not null check (
    status in (
      'WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION', 'WITHDRAWAL_COMPLETED',
      'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'
    )
  ),
  destination_type text not null check (destination_type in ('bank', 'ledger', 'payment_account')),
  destination_ref text not null,
  description text,
  -- Whether the withdrawal is committed as soon as its amount is reserved.
  commits_at_once boolean not null,
  provider_payout_id text,
  failure_reason text,
  error_code text,
  -- How the withdrawal ends once the ledger has freed or deducted its amount.
  outcome json,
  held_at timestamptz,
  committed_at timestamptz,
  completed_at timestamptz,
  next_poll_at timestamptz,
  polls integer not null default 0,
  active_run json,
  version integer not null,
  last_event_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);

create index withdrawals_listed on withdrawals (marketplace_id, created_at, id)
  where held_at is not null;

create index withdrawals_of_user on withdrawals (marketplace_id, user_id, created_at, id)
  where held_at is not null;

create index withdrawals_due on withdrawals (next_poll_at)
  where next_poll_at is not null;

create index withdrawals_of_payout on withdrawals (provider_payout_id)
  where provider_payout_id is not null;

-- Events of the payment provider, stored before they are applied. An event that failed for a passing reason is retried.
create table provider_events (
  id text primary key,
  -- The id that the provider assigned; a repeated event is not applied again.
  provider_event_id text not null unique,
  event_type text not null,
  -- As it was received; a signed body may be anything.
  body bytea not null,
  received_at timestamptz not null,
  handled_at timestamptz,
  -- applied, ignored or failed; null while the event waits for its next attempt.
  result text check (result in ('applied', 'ignored', 'failed')),
  -- Attempts that have begun.
  attempts integer not null,
  next_attempt_at timestamptz,
  check ((result is null) = (next_attempt_at is not null))
);

create index provider_events_due on provider_events (next_attempt_at)
  where next_attempt_at is not null;

create index provider_events_received on provider_events (received_at);

-- Money that belongs to no operation, and differences that nothing explains.
create table reconciliation_cases (
  id text primary key,
  marketplace_id text not null,
  kind text not null check (
    kind in ('late_money', 'amount_mismatch', 'unexplained_difference', 'unknown_deposit', 'quarantined_record')
  ),
  status text not null check (status in ('OPEN', 'PENDING_APPROVAL', 'RESOLVED')),
  user_id text,
  -- Zero if nobody knows it.
  amount_units bigint not null check (amount_units <> 0 or kind = 'quarantined_record'),
  currency text not null check (currency in ('USD', 'USDC', 'XLM')),
  -- The external account of the ledger that the money came from or went to.
  origin text not null,
  source text not null,
  source_id text not null,
  reason text not null,
  related_id text,
  -- The decision: action, note, who decided and who approved.
  resolution json,
  -- The payout of a return, once it is completed, and how often a return was begun.
  provider_payout_id text,
  returns integer not null default 0,
  -- Whether the money is in the suspense account.
  booked_at timestamptz,
  active_run json,
  version integer not null,
  last_event_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A difference is one case, however often it is found.
  unique (kind, source, source_id)
);

create index reconciliation_cases_listed on reconciliation_cases (marketplace_id, created_at, id);

create index reconciliation_cases_unresolved on reconciliation_cases (currency)
  where status <> 'RESOLVED';

create index reconciliation_cases_of_source on reconciliation_cases (source_id);

create table reconciliation_reports (
  id text primary key,
  currency text not null,
  journal_units bigint not null,
  payment_provider_units bigint not null,
  ledger_network_units bigint not null,
  open_cases integer not null,
  created_at timestamptz not null
);

create index reconciliation_reports_listed on reconciliation_reports (created_at, id);

-- The service never deletes top-ups, cases or reports. A withdrawal is deleted only if its amount could not be reserved.
revoke delete on topups, reconciliation_cases, reconciliation_reports from holdfast_payments_app;
