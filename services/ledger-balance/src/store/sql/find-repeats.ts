/**
 * The transfers that operation ids and references stand for already, with what they left.
 * Asked while the accounts are locked: a rival with the same cause has committed or waits.
 */
export const findRepeats = {
  name: 'find-repeats',
  text: `
  select asked.position, transfers.id, transfers.type, transfers.created_at, transfers.available_units, transfers.reserved_units,
    case when transfers.account_id = asked.account_id then transfers.units end as units,
    transfers.cause = asked.cause as is_by_cause
  from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[]) as asked (position, account_id, cause, reference_key)
  join transfers on transfers.cause = asked.cause
    or transfers.reference_key = asked.reference_key`,
};

export type RepeatRow = {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  /** Null when it concerns another account than the one asked about. */
  readonly units: bigint | null;
  readonly available_units: bigint | null;
  readonly reserved_units: bigint | null;
  readonly is_by_cause: boolean | null;
};
