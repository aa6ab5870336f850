-- compatible since 0001
-- The users of each marketplace, copied from the messages of identity.
create table users (
  id text primary key,
  marketplace_id text not null,
  type text not null check (type in ('BUYER', 'SELLER', 'BOTH')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  version bigint not null,
  received_at timestamptz not null
);

-- The values of columns that every update of an order writes. A domain is compiled once in a connection; Postgres reads the check
-- constraints of a table anew for each statement that writes it.
create domain order_status as text check (
  value in (
    'ORDER_CREATED', 'FUNDS_RESERVED', 'ESCROW_CREATING', 'ESCROW_FUNDING', 'IN_PROGRESS', 'RELEASE_REQUESTED', 'RELEASED',
    'REFUND_REQUESTED', 'REFUNDED', 'DISPUTED', 'CLOSED'
  )
);

create domain escrow_status as text check (
  value in ('CREATING', 'CREATED', 'FUNDING', 'FUNDED', 'RELEASED', 'REFUNDED', 'DISPUTED')
);

create domain close_reason as text check (value in ('RELEASED', 'REFUNDED', 'SPLIT', 'CANCELED'));

create domain contract_type as text check (value in ('single-release', 'multi-release'));

create domain currency as text check (value in ('USD', 'USDC', 'XLM'));

-- An order with its escrow record, milestones and active saga run in one row, so that one row lock guards all of it. But for the
-- escrow id, no index contains a column that changes during an order's life, and the fill factor leaves room on each page: updates
-- stay heap-only (HOT).
create table orders (
  id text primary key,
  marketplace_id text not null,
  client_order_ref text,
  buyer_id text not null,
  seller_id text not null,
  amount_units bigint not null check (amount_units > 0),
  currency currency not null,
  status order_status not null,
  title text not null,
  description text,
  -- json preserves the order of the keys as the client sent them; jsonb does not.
  metadata json not null,
  fee_basis_points integer not null check (fee_basis_points between 0 and 5000),
  milestones json not null,
  close_reason close_reason,
  escrow_id text,
  escrow_status escrow_status,
  contract_type contract_type,
  provider_contract_id text,
  -- DISPUTED by an attempt to pay out that failed afterwards. The order can still be released or refunded.
  is_disputed_by_attempt boolean not null default false,
  funded_at timestamptz,
  released_at timestamptz,
  refunded_at timestamptz,
  -- Counts the public events that this service publishes about the escrow; the adapter counts its own.
  escrow_version integer,
  -- The newest dispute.
  dispute_id text,
  -- The payout of the ledger, stored until the message about the contract's payout arrives.
  ledger_payout json,
  -- The open saga run and its input. No other saga may start while it is set.
  active_run json,
  -- Counts the public events of the order.
  version integer not null,
  -- The last public event about the order, its escrow or its dispute. The next event names it as its predecessor.
  last_event_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint orders_parties_differ check (seller_id <> buyer_id),
  constraint orders_closed_has_reason check ((status = 'CLOSED') = (close_reason is not null)),
  constraint orders_closed_has_no_active_run check (active_run is null or close_reason is null),
  constraint orders_escrow_is_complete check (num_nulls(escrow_id, escrow_status, contract_type, escrow_version) in (0, 4))
)
with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

create unique index orders_client_order_ref on orders (marketplace_id, client_order_ref)
  where client_order_ref is not null;

create index orders_listed on orders (marketplace_id, created_at, id);

create index orders_of_buyer on orders (marketplace_id, buyer_id, created_at, id);

-- The escrow id is written once in the life of an order.
create index orders_of_escrow on orders (escrow_id)
  where escrow_id is not null;

create index orders_of_seller on orders (marketplace_id, seller_id, created_at, id);

-- A dispute is written only under the lock of its order.
create table disputes (
  id text primary key,
  marketplace_id text not null,
  order_id text not null references orders (id),
  opened_by text not null check (opened_by in ('BUYER', 'SELLER')),
  reason text not null check (reason in ('NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER')),
  evidence json,
  status text not null check (status in ('OPEN', 'UNDER_REVIEW', 'RESOLVED')),
  assigned_to text,
  resolution_decision text check (resolution_decision in ('FULL_RELEASE', 'FULL_REFUND', 'SPLIT')),
  decision_note text,
  release_units bigint check (release_units >= 0),
  refund_units bigint check (refund_units >= 0),
  resolved_by text,
  -- Counts the public events of the dispute.
  version integer not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  constraint disputes_resolved_has_decision check ((status = 'RESOLVED') = (resolution_decision is not null)),
  constraint disputes_resolved_has_time check ((status = 'RESOLVED') = (resolved_at is not null))
);

-- At most one dispute of an order is unresolved.
create unique index disputes_unresolved on disputes (order_id)
  where status <> 'RESOLVED';

create index disputes_of_order on disputes (order_id);

create index disputes_listed on disputes (marketplace_id, created_at, id);

-- Projects of people. The newest order that pays for a project says how far it has come.
create table projects (
  id text primary key,
  marketplace_id text not null,
  owner_id text not null,
  title text not null,
  description text not null,
  budget_units bigint not null check (budget_units > 0),
  currency currency not null,
  order_id text references orders (id),
  canceled_at timestamptz,
  created_at timestamptz not null
);

create index projects_listed on projects (marketplace_id, owner_id, created_at, id);

create view project_states as
select
  projects.*,
  case
    when projects.canceled_at is not null then 'canceled'
    when orders.close_reason in ('RELEASED', 'SPLIT') then 'completed'
    when orders.status in ('IN_PROGRESS', 'RELEASE_REQUESTED', 'RELEASED', 'REFUND_REQUESTED', 'REFUNDED', 'DISPUTED') then 'in_progress'
    else 'open'
  end as status
from projects
left join orders on orders.id = projects.order_id;

create table dispute_comments (
  id text primary key,
  dispute_id text not null references disputes (id),
  text text not null,
  author text not null,
  created_at timestamptz not null
);

create index dispute_comments_listed on dispute_comments (dispute_id, created_at, id);

-- The service never deletes orders, disputes or projects, and comments are immutable.
revoke delete on orders, disputes, projects from holdfast_orders_app;
revoke update, delete on dispute_comments from holdfast_orders_app;
