/** The platform was away if its last heartbeat is older than this. */
const awayAfter = `interval '1 hour'`;

/**
 * One heartbeat a minute is enough for all replicas. The database gives the times, because the clocks of replicas differ. After a gap the
 * grace period begins; if a longer one has already begun, it stays.
 */
export const beat = {
  name: 'beat',
  text: `
  update heartbeat
  set grace_until = case
      when beat_at < now() - ${awayAfter} then greatest(grace_until, now() + make_interval(secs => $1))
      else grace_until
    end,
    beat_at = now()
  where beat_at <= now() - interval '1 minute'
    or beat_at > now()
  returning grace_until as "graceUntil"`,
};

/** A separate statement: after a wait for another replica's heartbeat, only a new one sees it. */
export const readGrace = {
  name: 'read-grace',
  text: `
  select grace_until as "graceUntil"
  from heartbeat`,
};

/** The stop after a restore has ended: the time since the backup counts as an outage. */
export const beginGraceAfterRestore = {
  name: 'begin-grace-after-restore',
  text: `
  update heartbeat
  set grace_until = greatest(grace_until, now() + make_interval(secs => $1))
  from emergency_stop
  where emergency_stop.restored_at is not null
    and emergency_stop.version < $2`,
};
