/** Whether a person has stopped signing and payouts, as part of a statement that locks rows: a decision needs no statement of its own. */
export const isStopped = 'coalesce((select emergency_stop.is_stopped from emergency_stop), false)';
