/**
 * Takes the next token of the bucket, and returns when the call may be made: in the past, or once the token is refilled. A bucket that
 * was full for long holds the tokens of one window. Uses the clock of the database, which all processes share; it is read after the
 * lock of the row is held, so that the times are in the order of the calls.
 */
export const reserveCall = {
  name: 'reserve-provider-call',
  text: `
  insert into provider_budgets as budget (name, empty_at)
  values ($1, clock_timestamp() - make_interval(secs => $2) + make_interval(secs => $3))
  on conflict (name) do update
  set empty_at = greatest(budget.empty_at, clock_timestamp() - make_interval(secs => $2)) + make_interval(secs => $3)
  returning extract(epoch from empty_at - clock_timestamp())::float8 as "waitSeconds"`,
};

export type ReservedCall = { readonly waitSeconds: number };
