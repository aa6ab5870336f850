-- compatible since 0001
create domain release_mode as text check (value in ('order', 'milestone'));

create domain rule_of_delivery as text check (value in ('none', 'refund'));

-- How an order is paid out, and the times at which something happens if nobody acts.
alter table orders
  add column release_mode release_mode not null default 'order',
  add column review_period text,
  add column deliver_by timestamptz,
  add column on_not_delivered rule_of_delivery not null default 'none';

-- A dispute may be about one milestone. Its deadlines and its rule are copied from the marketplace when it opens.
alter table disputes
  add column milestone_ref text,
  add column respond_by timestamptz,
  add column decide_by timestamptz,
  add column on_no_response text not null default 'none' check (on_no_response in ('none', 'opener')),
  add column evidence_entries json not null default '[]';

-- At most one dispute of an order, or of one of its milestones, is unresolved.
drop index disputes_unresolved;
create unique index disputes_unresolved on disputes (order_id, coalesce(milestone_ref, ''))
  where status <> 'RESOLVED';
