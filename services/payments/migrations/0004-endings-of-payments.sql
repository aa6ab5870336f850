-- compatible since 0001
-- Who canceled a committed withdrawal and why. Whether anything was sent by then is decided by what sends the payout.
alter table withdrawals add column cancel_request json;

-- How operators have ended payments, with proof. Above an amount a second API key confirms.
create table payment_resolutions (
  -- The top-up or withdrawal, or the code of the return of a case.
  payment_id text primary key,
  outcome text not null check (outcome in ('succeeded', 'failed')),
  transaction_hash text,
  requested_by text not null,
  requested_key text not null,
  requested_at timestamptz not null,
  evidence text not null,
  approved_by text,
  approved_key text,
  approval_evidence text,
  resolved_at timestamptz,
  check (approved_key <> requested_key)
);

-- A decision of operators is kept.
revoke delete on payment_resolutions from holdfast_payments_app;
