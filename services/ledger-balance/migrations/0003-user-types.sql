-- Users are known here as they are in every service that listens to them.
alter table users add column type text not null default 'BOTH' check (type in ('BUYER', 'SELLER', 'BOTH'));
