/**
 * Records messages in the inbox and returns the new ones. A message that caused a transfer is not new, even if its inbox row was
 * pruned. A concurrent transaction with the same message waits here until this one has ended, so the statement runs before
 * accounts are locked.
 */
export const recordMessages = {
  name: 'record-messages',
  text: `
  with recorded as (
    insert into inbox (consumer, message_id)
    select $1, message_id
    from unnest($2::text[]) as message_id
    order by message_id
    on conflict do nothing
    returning message_id
  )
  select message_id as id
  from recorded
  where not exists (select from transfers where transfers.cause = recorded.message_id)`,
};
