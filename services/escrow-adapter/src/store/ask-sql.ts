import { contractColumns } from './sql.js';

/** The first one of any number of equal messages goes on; the others find it in the inbox and do nothing. */
const heard = `
  with heard as (
    insert into inbox (consumer, message_id)
    values ('escrow-adapter', $1)
    on conflict do nothing
    returning message_id
  )`;

/** Born leased where the process that stores it works on it at once. */
const insertIntent = (subject: string): string => `
    insert into intents (
      id, subject, kind, priority, marketplace_id, correlation_id, saga_run_id, ask, lease_owner, lease_token, lease_until,
      after_event_id
    )
    select message_id, ${subject}, $3, $4, $5, $6, $7, $8, $9,
      case when $9::text is null then 0 else 1 end,
      case when $9::text is null then '-infinity' else now() + make_interval(secs => $10) end,
      $11
    from heard
    returning created_at`;

/** A new contract with the intent to deploy it. */
export const askForDeployment = {
  name: 'ask-for-deployment',
  text: `${heard}, contract as (
    insert into contracts (
      escrow_id, order_id, marketplace_id, contract_type, amount_units, currency, buyer_id, seller_id, title, description,
      platform_fee_basis_points, milestones, status, created_at
    )
    select $2, $12, $5, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23
    from heard
  ), intent as (${insertIntent('$2')}
  )
  select created_at as "askedAt"
  from intent`,
};

/** An intent on the contract of an order, the latest one that was not given up. Without one there is no subject, which fails. */
export const askOfOrder = {
  name: 'ask-of-order',
  text: `${heard}, contract as (
    select ${contractColumns}
    from contracts
    where order_id = $2
      and status <> 'FAILED'
    order by created_at desc
    limit 1
  ), intent as (${insertIntent('(select "escrowId" from contract)')}
  )
  select intent.created_at as "askedAt",
    contract.*
  from intent
  cross join contract`,
};

export const askOfEscrow = {
  name: 'ask-of-escrow',
  text: `${heard}, contract as (
    select ${contractColumns}
    from contracts
    where escrow_id = $2
  ), intent as (${insertIntent('(select "escrowId" from contract)')}
  )
  select intent.created_at as "askedAt",
    contract.*
  from intent
  cross join contract`,
};
