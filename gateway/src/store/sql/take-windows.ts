/** Counts many requests at once by the clock of the database, which all replicas share. A window that has ended begins anew. */
export const takeWindows = {
  name: 'take-windows',
  text: `
  insert into rate_windows as windows (key, used, ends_at)
  select key, used, now() + make_interval(secs => $3)
  from unnest($1::text[], $2::integer[]) as taken (key, used)
  order by key
  on conflict (key) do update
  set used = excluded.used + case when windows.ends_at > now() then windows.used else 0 end,
    ends_at = case when windows.ends_at > now() then windows.ends_at else excluded.ends_at end
  returning key, used, ends_at`,
};

export type WindowRow = { readonly key: string; readonly used: number; readonly ends_at: string };
