-- compatible since 0001
-- The limit of a balance is for new money. Money that the platform holds already is always booked: restored, paid out of escrow, or deposited.
alter table accounts drop constraint accounts_check1;
