/**
 * Notes messages in the inbox, and returns those that are new. One that caused a transfer is not, even if its row in the inbox has been
 * pruned. A rival with one of the messages waits here until this transaction has ended, so it comes before the accounts are locked.
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
