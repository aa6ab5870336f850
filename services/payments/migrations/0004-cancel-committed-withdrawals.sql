-- compatible since 0001
-- Who canceled a committed withdrawal and why. Whether anything was sent by then is decided by what sends the payout.
alter table withdrawals add column cancel_request json;
