import { reservations } from '../schema.js';

/** Active reservations of orders and withdrawals, oldest first, because ids sort by time. */
export const loadReservations = {
  name: 'load-reservations',
  text: `
  select ${reservations.selected}
  from reservations
  where account_id = any($1::bigint[])
    and subject_id = any($2::text[])
    and active_units > 0
  order by id`,
};

/** Active manual reservations, oldest first. */
export const loadManualReservations = {
  name: 'load-manual-reservations',
  text: `
  select ${reservations.selected}
  from reservations
  where account_id = any($1::bigint[])
    and kind = 'manual'
    and active_units > 0
  order by id`,
};
