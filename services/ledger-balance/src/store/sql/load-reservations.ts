/**
 * What orders and withdrawals hold, oldest first: ids sort by birth. Reservations that are over are told by other words than
 * those of the index of active ones: that index is small, and a plan would rather read all of it, the dead included.
 */
export const loadReservations = {
  name: 'load-reservations',
  text: `
  select id, account_id, kind, subject_id, active_units, reason
  from reservations
  where subject_id = any($1::text[])
    and account_id = any($2::bigint[])
    and active_units <> 0
  order by id`,
};

/** The same for what was reserved by hand. */
export const loadManualReservations = {
  name: 'load-manual-reservations',
  text: `
  select id, account_id, kind, subject_id, active_units, reason
  from reservations
  where account_id = any($1::bigint[])
    and kind = 'manual'
    and active_units > 0
  order by id`,
};

export type ReservationRow = {
  readonly id: string;
  readonly account_id: bigint;
  readonly kind: string;
  readonly subject_id: string | null;
  readonly active_units: bigint;
  readonly reason: string | null;
};
