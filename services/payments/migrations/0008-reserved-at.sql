alter table withdrawals rename column held_at to reserved_at;
