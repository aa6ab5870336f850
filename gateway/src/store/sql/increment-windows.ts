import { selectList, unnestRows } from '@holdfast/postgres';
import { rateWindows } from '../schema.js';

export const incrementRows = unnestRows(rateWindows.columns, ['key', 'used']);

/** Counts a batch of requests. Uses the clock of the database, which all replicas share. A window that has ended starts again. */
export const incrementWindows = {
  name: 'increment-windows',
  text: `
  insert into rate_windows as windows (key, used, ends_at)
  select given.key, given.used, now() + make_interval(secs => $3)
  from ${incrementRows.from}
  order by given.key
  on conflict (key) do update
  set used = excluded.used + case when windows.ends_at > now() then windows.used else 0 end,
    ends_at = case when windows.ends_at > now() then windows.ends_at else excluded.ends_at end
  returning ${selectList(rateWindows.columns, 'windows')}`,
};
