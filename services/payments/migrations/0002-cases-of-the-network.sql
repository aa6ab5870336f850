-- compatible since 0001
alter table reconciliation_cases drop constraint reconciliation_cases_kind_check;

alter table reconciliation_cases add constraint reconciliation_cases_kind_check check (
  kind in (
    'late_money',
    'amount_mismatch',
    'unexplained_difference',
    'unknown_deposit',
    'unconfirmed_deposit',
    'unknown_outflow',
    'quarantined_record'
  )
);
