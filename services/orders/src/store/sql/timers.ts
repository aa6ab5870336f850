import { insertMany, updateMany } from '@holdfast/postgres';
import { backoffInterval, claimDue, nextDue } from '@holdfast/work';
import { timers } from '../schema.js';

/** A timer that was moved begins again, whatever happened to it before. */
export const setTimers = insertMany({
  ...timers,
  name: 'set-timers',
  suffix: `
  on conflict (id) do update
  set due_at = excluded.due_at,
    attempts = 0,
    held_reason = null`,
});

export const cancelTimers = {
  name: 'cancel-timers',
  text: `
  delete from timers
  where id = any($1)`,
};

export const holdTimers = updateMany({ ...timers, name: 'hold-timers', key: ['id'], set: ['heldReason', 'dueAt'] });

/** Moves the due time by the back-off. */
export const claim = {
  set: `attempts = attempts + 1,
    held_reason = null,
    due_at = now() + ${backoffInterval({ attempts: 'attempts', first: '5', max: '60' })}`,
  returning: `timers.id, order_id as "orderId", marketplace_id as "marketplaceId", kind, subject, attempts - 1 as attempts,
    due_at as "retryAt"`,
};

/** The first delay is longer than most sagas take, so that a timer whose saga runs is seldom looked at. */
export const claimTimers = claimDue({
  name: 'claim-timers',
  table: timers.table,
  where: 'due_at <= now()',
  orderBy: 'due_at',
  limit: '$1',
  ...claim,
});

export const nextTimer = nextDue({ name: 'next-timer', table: timers.table, where: 'true', dueAt: 'due_at' });

/** The stop has ended: all timers that it held are due. */
export const wakeStoppedTimers = {
  name: 'wake-stopped-timers',
  text: `
  update timers
  set due_at = now(),
    attempts = 0,
    held_reason = null
  where held_reason = 'EMERGENCY_STOP'`,
};

/** A user is active again: the timers of their orders are due. */
export const wakeTimersOfUser = {
  name: 'wake-timers-of-user',
  text: `
  update timers
  set due_at = now(),
    attempts = 0,
    held_reason = null
  from orders
  where timers.held_reason = 'SUSPENDED_PARTY'
    and orders.id = timers.order_id
    and $1 in (orders.buyer_id, orders.seller_id)`,
};
