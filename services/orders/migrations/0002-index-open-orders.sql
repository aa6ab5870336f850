-- compatible since 0001
-- Counts the orders that are not closed, and their amounts, from the index alone.
create index orders_open on orders (status, currency) include (amount_units)
  where status <> 'CLOSED';
