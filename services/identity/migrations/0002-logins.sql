-- compatible since 0002
-- What a person logs in with is a login: an account is one of the ledger, of the network or of the payment provider.
alter table accounts rename to logins;
