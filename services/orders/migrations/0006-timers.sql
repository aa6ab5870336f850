-- compatible since 0001
-- When something happens to an order if nobody acts before. The rows follow from the state of the order, and each is only a wake-up:
-- what happens is decided on the locked order. No index but that of the due time contains a column that changes.
create table timers (
  -- The order, the kind and the subject, separated by spaces.
  id text primary key,
  order_id text not null references orders (id),
  marketplace_id text not null,
  kind text not null check (
    kind in (
      'review', 'release-due-soon', 'delivery', 'dispute-response', 'dispute-response-soon', 'dispute-decision', 'dispute-decision-soon'
    )
  ),
  -- The ref of a milestone or the id of a dispute; empty for the whole order.
  subject text not null,
  -- When it is looked at next: the time of the timer, or later after an attempt.
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- Why it waits although its time has come: it would pay out, and nothing may be paid out now.
  held_reason text check (held_reason in ('EMERGENCY_STOP', 'SUSPENDED_PARTY', 'OUTAGE'))
)
with (fillfactor = 80);

create index timers_due on timers (due_at);

create index timers_held on timers (held_reason)
  where held_reason is not null;

-- Those that an operator should look at.
create index timers_failing on timers (order_id)
  where attempts > 5 and held_reason is null;

-- When this service was last alive. After a gap the platform was away, and no timer pays out before `grace_until`.
create table heartbeat (
  is_only_row boolean primary key default true check (is_only_row),
  beat_at timestamptz not null,
  grace_until timestamptz
);

insert into heartbeat (beat_at)
values (now());

-- Set when the delivery date has passed and the order was not to be refunded for it.
alter table orders
  add column delivery_checked_at timestamptz;

alter table disputes
  -- When the side that did not open the dispute first responded, if it did so in time.
  add column responded_at timestamptz,
  add column response_noticed_at timestamptz,
  add column decision_noticed_at timestamptz,
  add column overdue_at timestamptz;

-- Disputes that were not decided in time, for the list and the gauge.
create index disputes_overdue on disputes (marketplace_id, created_at, id)
  where overdue_at is not null and status <> 'RESOLVED';
