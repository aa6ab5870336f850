import { forRows } from '@holdfast/shared/postgres';
import { contractColumns } from './sql.js';

/** How each value of what is asked for is read. Its place is where the contract is found: an escrow or an order. */
const asking = {
  id: 'text',
  place: 'text',
  kind: 'text',
  priority: 'smallint',
  marketplace_id: 'text',
  correlation_id: 'text',
  saga: 'text',
  saga_run_id: 'text',
  ask: 'jsonb',
  lease_owner: 'text',
  lease_seconds: 'float8',
  after_event_id: 'text',
} as const;

/** What comes with it where the contract is a new one. */
const terms = {
  order_id: 'text',
  contract_type: 'text',
  amount_units: 'bigint',
  currency: 'text',
  buyer_id: 'text',
  seller_id: 'text',
  title: 'text',
  description: 'text',
  platform_fee_basis_points: 'integer',
  milestones: 'jsonb',
  status: 'text',
  created_at: 'timestamptz',
} as const;

type Rows = (types: readonly string[]) => string;

/** The first one of any number of equal messages goes on; the others find it in the inbox and do nothing. */
const fresh = (rows: Rows, columns: Readonly<Record<string, string>>): string => `
  with given (${Object.keys(columns).join(', ')}) as (
    values ${rows(Object.values(columns))}
  ), heard as (
    insert into inbox (consumer, message_id)
    select 'escrow-adapter', id
    from given
    on conflict do nothing
    returning message_id
  ), fresh as (
    select given.*
    from given
    join heard on heard.message_id = given.id
  )`;

/** Born leased where the process that stores it works on it at once. */
const insertIntents = (subject: string, from: string): string => `
    insert into intents (
      id, subject, kind, priority, marketplace_id, correlation_id, saga, saga_run_id, ask, lease_owner, lease_token,
      lease_until, after_event_id
    )
    select fresh.id, ${subject}, kind, priority, marketplace_id, correlation_id, saga, saga_run_id, ask, lease_owner,
      case when lease_owner is null then 0 else 1 end,
      case when lease_owner is null then '-infinity' else now() + make_interval(secs => lease_seconds) end,
      after_event_id
    from ${from}
    returning id, created_at`;

/** New contracts with the intents to deploy them. */
export const askForDeployment = forRows((rows, count) => ({
  name: `ask-for-deployment-${count}`,
  text: `${fresh(rows, { ...asking, ...terms })}, contract as (
    insert into contracts (escrow_id, marketplace_id, ${Object.keys(terms).join(', ')})
    select place, marketplace_id, ${Object.keys(terms).join(', ')}
    from fresh
  ), intent as (${insertIntents('place', 'fresh')}
  )
  select id as "askedId",
    created_at as "askedAt"
  from intent`,
}));

/** Intents on contracts that are there. Without its contract one has no subject, which fails. */
const askOf = (name: string, whichContract: string) =>
  forRows((rows, count) => ({
    name: `${name}-${count}`,
    text: `${fresh(rows, asking)}, contract as (
    select fresh.id as "askedId",
      found.*
    from fresh
    cross join lateral (
      select ${contractColumns}
      from contracts
      ${whichContract}
    ) as found
  ), intent as (${insertIntents('"escrowId"', 'fresh left join contract on contract."askedId" = fresh.id')}
  )
  select intent.created_at as "askedAt",
    contract.*
  from intent
  join contract on contract."askedId" = intent.id`,
  }));

/** On the contract of an order, the latest one that was not given up. */
export const askOfOrder = askOf(
  'ask-of-order',
  `where order_id = fresh.place
        and status <> 'FAILED'
      order by created_at desc
      limit 1`,
);

export const askOfEscrow = askOf('ask-of-escrow', 'where escrow_id = fresh.place');
