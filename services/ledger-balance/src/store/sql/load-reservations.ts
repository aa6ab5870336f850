/** Oldest first: ids sort by birth. */
export const loadReservations = {
  name: 'load-reservations',
  text: `
  select reservations.id, reservations.account_id, reservations.kind, reservations.subject_id,
    reservations.active_units, reservations.reason
  from (
    select distinct account_id, kind, subject_id
    from unnest($1::bigint[], $2::text[], $3::text[]) as asked (account_id, kind, subject_id)
  ) as asked
  join reservations on reservations.account_id = asked.account_id
    and reservations.kind = asked.kind
    and reservations.subject_id is not distinct from asked.subject_id
    and reservations.active_units > 0
  order by reservations.id`,
};

export type ReservationRow = {
  readonly id: string;
  readonly account_id: bigint;
  readonly kind: string;
  readonly subject_id: string | null;
  readonly active_units: bigint;
  readonly reason: string | null;
};
