import { selectList } from '@holdfast/postgres';
import { reservationColumns } from '../schema.js';

/** What orders and withdrawals hold, oldest first: ids sort by time. */
export const loadReservations = {
  name: 'load-reservations',
  text: `
  select ${selectList(reservationColumns, 'reservations')}
  from reservations
  where account_id = any($1::bigint[])
    and subject_id = any($2::text[])
    and active_units > 0
  order by id`,
};

/** The same for what was reserved by hand. */
export const loadManualReservations = {
  name: 'load-manual-reservations',
  text: `
  select ${selectList(reservationColumns, 'reservations')}
  from reservations
  where account_id = any($1::bigint[])
    and kind = 'manual'
    and active_units > 0
  order by id`,
};
