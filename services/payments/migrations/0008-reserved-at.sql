-- compatible since 0008
alter table withdrawals rename column held_at to reserved_at;
